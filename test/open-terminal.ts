import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { AgentWorld } from "./agent-world.ts";

/** A terminal of its own with a command in it; without one that is the conversation line by line. */
export async function openTerminal(
  world: AgentWorld,
  args: readonly string[] = [],
  { columns = 200 }: { readonly columns?: number } = {},
) {
  const socket = join(world.home, "tmux.sock");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...world.environment, TERM: "xterm" },
    });
  const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const words = /^(?!-)./.test(args[0] ?? "") ? args : ["cli", ...args];
  const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${main}' ${words.join(" ")}; echo "left with $?"; sleep 60`;
  tmux("new-session", "-d", "-x", String(columns), "-y", "50", "-c", world.workspace, command);
  const screen = (): string => tmux("capture-pane", "-p", "-J");
  return {
    type: (text: string) => tmux("send-keys", "-l", text),
    /** Pastes a text: between the marks of a bracketed paste, or as the bytes alone. */
    paste: (text: string, marks: "marked" | "unmarked" = "marked") => {
      tmux("set-buffer", "--", text);
      tmux("paste-buffer", ...(marks === "marked" ? ["-p"] : []));
    },
    screen,
    press: (key: string) => tmux("send-keys", key),
    [Symbol.asyncDispose]: async () => void tmux("kill-server"),
    /** Waits until the screen shows something. */
    shows: async (pattern: RegExp): Promise<string> => {
      for (let count = 0; count < 600; count += 1) {
        const text = screen();
        if (pattern.test(text)) return text;
        await pause(25);
      }
      return assert.fail(`${pattern} was never shown:\n${screen()}`);
    },
  };
}
