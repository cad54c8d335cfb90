import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { writeSetGroupFilter } from "./set-group-refused.fixture.ts";

/** Opens an overlay of a folder in a process that may set no set-group-ID bit, and gives what that said. */
function openRefused(filter: string, given: { readonly folder: string; readonly state: string }): string {
  const overlay = new URL("overlay.ts", import.meta.url).href;
  const script = `const { openOverlay } = await import(${JSON.stringify(overlay)});
const opened = await openOverlay(...process.argv.slice(1));
console.log(typeof opened === "string" ? opened : "opened");
if (typeof opened !== "string") await opened[Symbol.asyncDispose]();`;
  const descriptor = openSync(filter, "r");
  try {
    const node = [process.execPath, "--input-type=module", "--eval", script, given.folder, given.state];
    return execFileSync("bwrap", ["--dev-bind", "/", "/", "--seccomp", "3", ...node], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit", descriptor],
    });
  } finally {
    closeSync(descriptor);
  }
}

test("where the system lets nobody give the set-group-ID bit, a folder that has it is told to have no copy, and others have one", async (context) => {
  const scratch = await makeScratchFolder(context);
  const filter = writeSetGroupFilter(scratch);
  if (filter === null) return context.skip("the numbers of system calls are those of x86-64");
  const state = join(scratch, "state");
  const opened = (name: string, mode: number): string => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    chmodSync(folder, mode);
    return openRefused(filter, { folder, state });
  };
  assert.equal(opened("plain", 0o755), "opened\n");
  assert.match(opened("team", 0o2755), /team hands on its group .*RestrictSUIDSGID.*service install/);
});
