import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { openCommandOverlays } from "../../src/act/trial/command-overlays.ts";
import { rememberNothing } from "../../src/act/trial/workshop.fixture.ts";
import { builtInGates } from "../../src/gate/built-in.ts";
import { judge } from "../../src/gate/judge.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";

test("without a filter of system calls a command asks instead of being tried", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(context);
  const [workspace, sets] = [join(folder, "work"), join(folder, "sets")];
  await mkdir(workspace);
  const overlays = openCommandOverlays(sets, rememberNothing);
  for (const [filter, expected] of [
    [sandbox.filter, "trial"],
    [null, "ask"],
  ] as const) {
    const prepared = await shellIn(workspace, {
      sandbox: { ...sandbox, filter },
      overlays,
      tries: true,
    }).prepare("make all");
    assert.ok(prepared.ok);
    const { decision } = judge(builtInGates, prepared.effects, { ...sampleFacts, licences: [] });
    assert.equal(decision, expected);
  }
});
