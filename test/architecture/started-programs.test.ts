import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findStartedPrograms } from "./find-started-programs.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The sources that start a program which another one found, each with where that is. */
const given: ReadonlyMap<string, string> = new Map([
  ["src/act/egress/bridge-worker.ts", "it runs in the sandbox, and starts what the command is"],
  ["src/act/mcp/stdio-transport.ts", "the sandbox, by its absolute path"],
  ["src/act/sandbox/bubblewrap.ts", "the sandbox, by its absolute path"],
  ["src/act/sandbox/mounts.ts", "unshare and nsenter, by their absolute paths"],
  ["src/act/sandbox/output-in-sandbox.ts", "the sandbox, by its absolute path"],
  ["src/act/sandbox/overlay.ts", "unshare and nsenter, by their absolute paths"],
  ["src/act/shell/owner-git-settings.ts", "a list of absolute paths"],
  ["src/act/shell/secret-prompt.ts", "stty, by its absolute path"],
  ["src/act/shell/start-processes.ts", "the program that was judged, by its absolute path"],
  ["src/act/shell/terminal-child.ts", "the program that was judged, by its absolute path"],
  ["src/act/shell/terminal-fit.ts", "stty, by its absolute path"],
  ["src/daemon/start-anew.ts", "this program's own Node"],
  ["src/daemon/tell-service-manager.ts", "systemd-notify, by its absolute path"],
  ["src/features/user-service/run-program.ts", "the service manager, by its absolute path"],
  ["src/program/start-agent-process.ts", "this program's own Node"],
  ["src/settings/keyring.ts", "the keyring, by its absolute path"],
]);

test("no source starts a program by a name that the owner's PATH decides on", () => {
  const files = globSync("src/**/*.ts", { cwd: root }).filter(
    (file) => !/\.(?:test|fixture)\.ts$/.test(file),
  );
  const found = new Map(
    files.map((file) => [file, findStartedPrograms(readFileSync(join(root, file), "utf8"), file)]),
  );
  const starting = [...found].filter(([, programs]) => programs.length > 0).map(([file]) => file);
  assert.deepEqual(starting.toSorted(), [...given.keys()]);
});

test("a bare name is found, and an absolute one or the system's PATH is none", () => {
  const started = (call: string): readonly string[] =>
    findStartedPrograms(`import { spawn } from "node:child_process";\n${call};`, "made.ts");
  assert.deepEqual(started('spawn("git", [], { env: environment })'), ['"git"']);
  assert.deepEqual(started("promisify(execFile)(program, [])"), ["program"]);
  assert.deepEqual(started('spawn("/bin/sh", [])'), []);
  assert.deepEqual(started('spawn("git", [], { env: { PATH: systemPath } })'), []);
});
