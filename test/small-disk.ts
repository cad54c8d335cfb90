import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { AgentWorld } from "./agent-world.ts";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const node = `"${process.execPath}" --disable-warning=ExperimentalWarning "${main}"`;

/** What the script may call: `agent` runs a command and prints its exit code, `daemon` starts one and waits for its socket, `fill` leaves no byte on the disk, `free` undoes it. */
const functions = `
agent() { timeout 20 ${node} "$@" 2>&1; echo "code $?"; }
daemon() {
  ${node} daemon --port 0 >/dev/null 2>&1 & DAEMON=$!
  trap 'kill $DAEMON 2>/dev/null' EXIT
  for try in $(seq 100); do [ -S "$HOME/.local/state/passepartout/run/passepartout.sock" ] && return; sleep 0.1; done
}
fill() { cat /dev/zero > "$DISK/filler" 2>/dev/null; }
free() { rm "$DISK/filler"; }
`;

/** Exit codes of the script's shell where it never came to the script. */
const notMounted = 99;
const notUnshared = 1;

/**
 * Runs a shell script with a small disk of its own at `place` below the home, in a namespace that ends with it, and returns what it printed; null where
 * this machine does not let an ordinary user make one.
 */
export async function onSmallDisk(
  t: TestContext,
  disk: { readonly world: AgentWorld; readonly place: string; readonly options: string },
  script: string,
): Promise<string | null> {
  const { world, options } = disk;
  const place = join(world.home, disk.place);
  mkdirSync(place, { recursive: true });
  const lines = [
    `DISK="${place}"; mount -t tmpfs -o "${options}" tmpfs "$DISK" || exit ${notMounted}`,
    functions,
    script,
    "exit 0",
  ];
  const child = spawn("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", lines.join("\n")], {
    cwd: world.workspace,
    env: { ...world.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    out += piece;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(notMounted));
    child.once("close", resolve);
  });
  if (code !== notMounted && code !== notUnshared) return out;
  const message = "needs user namespaces: install util-linux and allow unprivileged user namespaces";
  assert.notEqual(process.env["CI"], "true", message);
  t.skip(message);
  return null;
}
