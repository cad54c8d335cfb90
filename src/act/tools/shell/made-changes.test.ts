import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { makeScratchFolder, sandboxFor, shellIn } from "./shell.fixture.ts";

test("what an approved line changed is as private as the contents that are shown, before or after", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const [workspace, state] = [await makeScratchFolder(t), await makeScratchFolder(t)];
  const holds = (path: string): boolean =>
    /\/[ab]\.txt$/.test(path) && readFileSync(path, "utf8").includes("diary");
  const { prepare } = shellIn(workspace, {
    sandbox,
    overlays: openCommandOverlays(join(state, "commands"), rememberNothing),
    labelOfRead: async ({ path }) => ({ ...bottomLabel, secrecy: holds(path) ? "private" : "public" }),
  });
  mkdirSync(join(workspace, "texts"));
  const secrecyOf = async (script: string): Promise<readonly (string | undefined)[]> => {
    writeFileSync(join(workspace, "texts/a.txt"), "my diary\n");
    writeFileSync(join(workspace, "texts/b.txt"), "plans\n");
    writeFileSync(join(workspace, "work.sh"), `cd texts; ${script}\n`);
    const prepared = await prepare("sh work.sh");
    assert.ok(prepared.ok, script);
    await prepared.run(new AbortController().signal);
    const made = await prepared.preview?.made?.();
    return [prepared.resultLabel.secrecy, made?.label.secrecy, made?.diffs[0]?.path.slice(-5)];
  };
  assert.deepEqual(await secrecyOf("echo more >> $(ls | tail -1)"), ["public", "public", "b.txt"]);
  assert.deepEqual(await secrecyOf("echo more >> $(ls | head -1)"), ["public", "private", "a.txt"]);
  assert.deepEqual(await secrecyOf("echo none > $(ls | head -1)"), ["public", "private", "a.txt"]);
  assert.deepEqual(await secrecyOf("echo diary > $(ls | tail -1)"), ["public", "private", "b.txt"]);
});
