import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Outcome } from "../../signal/tool.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { makeScratchFolder, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";
import { endedWithCommand } from "./left-behind.ts";

function success(outcome: Outcome): JsonObject {
  assert.equal(outcome.status, "success", JSON.stringify(outcome));
  return outcome.status === "success" && isJsonObject(outcome.content) ? outcome.content : {};
}

/** Lines that leave a program running, each in its own way. */
const leaving = [
  "sleep 100 & echo started",
  "./script.sh",
  'sh -c "sleep 100 & echo started"',
  'bash -c "sleep 100 > /dev/null 2>&1 & disown; echo started"',
  "setsid -f sleep 100; echo started",
  'sh -c "sleep 100 & echo started" | cat',
];

/** Lines that leave none, or one that ends by itself at once; and how they end. */
const others: readonly (readonly [line: string, exitCode: number, stdout: string])[] = [
  ["sh -c 'echo a & wait; exit 3'", 3, "a\n"],
  ["bash -c 'echo b > >(cat); exit 0'", 0, "b\n"],
  // A signal to the whole group, as scripts send it where they clean up after themselves.
  [`sh -c 'trap "" TERM; kill 0; echo c'`, 0, "c\n"],
  ["sh -c 'kill -SEGV $$'", 139, ""],
];

test("what a command left running is told, however it was started, and only then", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "script.sh"), "#!/bin/sh\nsleep 100 &\necho started\n");
  await chmod(join(folder, "script.sh"), 0o755);
  const shell = shellIn(folder, { sandbox });
  for (const line of leaving) {
    const outcome = await shell.run(line);
    const content = { stdout: "started\n", stderr: "", exitCode: 0, background: endedWithCommand };
    assert.deepEqual(outcome, { status: "success", content }, line);
  }
  for (const [line, exitCode, stdout] of others) {
    const { advice: _, ...content } = success(await shell.run(line));
    assert.deepEqual(content, { stdout, stderr: "", exitCode }, line);
  }
});
