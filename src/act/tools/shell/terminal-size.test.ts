import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openDesk } from "./terminal.fixture.ts";

test("a program begins with the size of the owner's terminal, and is told by SIGWINCH when it changes", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  await desk.terminals.resize("session", { rows: 30, columns: 132 });
  await desk.terminals.resize("another session", { rows: 10, columns: 20 });
  const watch =
    "stty size; trap 'echo resized; stty size' WINCH; while read -r line; do echo \"got $line\"; done";
  writeFileSync(join(desk.workspace, "watch.sh"), watch);
  const started = await desk.trying({ cmd: "bash watch.sh" });
  assert.equal(started.text.trim(), "30 132");
  await desk.terminals.resize("session", { rows: 41, columns: 111 });
  const resized = await desk.trying({ input: "on\n" });
  assert.match(resized.text, /resized\n41 111\n/);
  const wide = "x".repeat(105);
  assert.match((await desk.trying({ input: `echo ${wide}\n` })).text, new RegExp(`got echo ${wide}`));
  await desk.trying({ input: "\u0004" });
  assert.equal((await desk.trying({ cmd: "stty size" })).text.trim(), "41 111");
});

test("of many sizes that come while a program starts, it has the last one once it waits; without any it has 24 rows and 80 columns", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  assert.equal((await desk.trying({ cmd: "stty size" })).text.trim(), "24 80");
  const started = desk.trying({ cmd: "cat" });
  for (let rows = 2; rows <= 60; rows += 1) {
    await new Promise(setImmediate);
    void desk.terminals.resize("session", { rows, columns: 100 + rows });
  }
  await started;
  await desk.trying({ input: "\u0004" });
  writeFileSync(join(desk.workspace, "size.sh"), "read -r line; stty size");
  const waiting = desk.trying({ cmd: "bash size.sh" });
  await desk.terminals.resize("session", { rows: 50, columns: 99 });
  await waiting;
  assert.match((await desk.trying({ input: "\n" })).text, /50 99/);
});
