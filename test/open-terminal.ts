import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { AgentWorld } from "./agent-world.ts";

/** How a terminal is opened. */
export type TerminalOptions = {
  readonly columns?: number;
  readonly rows?: number;
  /** The folder that the command starts in; the workspace where this is missing. */
  readonly folder?: string;
  /** The background that the terminal says it has when a program asks. */
  readonly background?: "dark" | "light";
  /** In a shell that can stop it as a job. */
  readonly inShell?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Another command line in place of this program. */
  readonly command?: string;
};

const backgrounds = { dark: "bg=#101418", light: "bg=#fdfdfb" } as const;

/**
 * Milliseconds after which a screen is looked at though nothing was written: what was written may be shown
 * later.
 */
const usualLook = 250;
/** Milliseconds that a screen is waited for. */
const patience = 90_000;

/** A terminal of its own with a command in it; without one that is the conversation line by line. */
export async function openTerminal(
  world: AgentWorld,
  args: readonly string[] = [],
  {
    columns = 200,
    rows = 50,
    folder = world.workspace,
    background,
    inShell = false,
    settings = {},
    command,
  }: TerminalOptions = {},
) {
  const place = mkdtempSync(join(world.home, "tmux-"));
  const socket = join(place, "socket");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...world.environment, TERM: "xterm", ...settings },
    });
  const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const words = /^(?!-)./.test(args[0] ?? "") ? args : ["cli", ...args];
  const started = `'${process.execPath}' --disable-warning=ExperimentalWarning '${main}' ${words.join(" ")}; echo "left with $?"; sleep 60`;
  const looks =
    background === undefined
      ? []
      : [
          "start-server",
          ";",
          "set-option",
          "-g",
          "default-terminal",
          "tmux-256color",
          ";",
          "set-option",
          "-g",
          "window-style",
          backgrounds[background],
          ";",
        ];
  const size = ["-x", String(columns), "-y", String(rows)];
  // Ctrl-C reaches this shell too, which is to outlive it: where a program ends itself in order, dash would end with it, and bash would not.
  const shell = inShell ? "exec bash --norc --noprofile -i" : `trap : INT; ${started}`;
  tmux(...looks, "new-session", "-d", ...size, "-c", folder, command ?? shell);
  const raw = join(place, "raw-bytes");
  tmux("pipe-pane", "-o", `cat >> '${raw}'`);
  if (inShell) tmux("send-keys", "-l", `PS1='$ '; clear; ${started.replace("; sleep 60", "")}\n`);
  const screen = (): string => tmux("capture-pane", "-p", "-J");
  return {
    type: (text: string) => tmux("send-keys", "-l", text),
    /** Pastes a text: between the marks of a bracketed paste, or as the bytes alone. */
    paste: (text: string, marks: "marked" | "unmarked" = "marked") => {
      tmux("set-buffer", "--", text);
      tmux("paste-buffer", ...(marks === "marked" ? ["-p"] : []));
    },
    screen,
    /** The screen with its colours, as escape sequences. */
    coloured: (): string => tmux("capture-pane", "-p", "-e", "-N"),
    tmux,
    socket,
    /** The process in it, or the one that its shell started. */
    pid: (): number => {
      const shell = tmux("display-message", "-p", "#{pane_pid}").trim();
      return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ")[0]);
    },
    /** All that the terminal was sent. */
    rawBytes: (): string => readFileSync(raw, "latin1"),
    press: (key: string) => tmux("send-keys", key),
    [Symbol.asyncDispose]: async () => void tmux("kill-server"),
    /** Waits until the screen shows something. */
    shows: async (pattern: RegExp): Promise<string> => {
      const end = performance.now() + patience;
      let seen = { bytes: -1, at: 0 };
      while (performance.now() < end) {
        // A look is a process of tmux: it is taken where the program has written something, and now and then.
        const [bytes, now] = [statSync(raw, { throwIfNoEntry: false })?.size ?? 0, performance.now()];
        if (bytes !== seen.bytes || now - seen.at > usualLook) {
          const text = screen();
          if (pattern.test(text)) return text;
          seen = { bytes, at: now };
        }
        await pause(25);
      }
      return assert.fail(`${pattern} was never shown:\n${screen()}`);
    },
  };
}
