import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { RunProgram } from "../../signal/effect.ts";
import { makeScratchFolder, shellIn } from "../tools/shell/shell.fixture.ts";

/** What would run of a line, where a folder of the owner stands first in the search path. */
async function ranIn(
  context: TestContext,
  cmd: string,
  plant: (bin: string) => Promise<unknown>,
): Promise<RunProgram> {
  const folder = await makeScratchFolder(context);
  const [bin, work] = [join(folder, "bin"), join(folder, "work")];
  await mkdir(bin);
  await mkdir(work);
  await plant(bin);
  const prepared = await shellIn(work, { searchPath: `${bin}:/usr/local/bin:/usr/bin:/bin` }).prepare(cmd);
  const ran = prepared.ok ? prepared.effects.find((effect) => effect.kind === "run-program") : undefined;
  assert.ok(ran !== undefined);
  return ran;
}

const script = (name: string) => (bin: string) => writeFile(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });

test("a look-alike that stands before the system's own program is shadowed and proves nothing, also behind a wrapper", async (context) => {
  for (const cmd of ["ls", "timeout 5 ls", "nice timeout 5 ls"]) {
    const ran = await ranIn(context, cmd, script("ls"));
    assert.equal(ran.proof, null, cmd);
    assert.match(ran.doubt, /not the system's own program/);
  }
  assert.equal((await ranIn(context, "ls", script("ls"))).identity, "shadowed");
});

test("the system's own program is trusted, also by a link in a folder before it", async (context) => {
  const linked = await ranIn(context, "ls", (bin) => symlink("/usr/bin/ls", join(bin, "ls")));
  assert.equal(linked.identity, "trusted");
  assert.notEqual(linked.proof, null);
});

test("a program that is not installed is absent, which is no objection to judging its words", async (context) => {
  const ran = await ranIn(context, "pgrep-of-nobody a", async () => undefined);
  assert.equal(ran.identity, "absent");
  const known = await shellIn("/", { searchPath: "/nowhere" }).prepare("cat a");
  assert.ok(
    known.ok && known.effects.some((effect) => effect.kind === "run-program" && effect.proof !== null),
  );
});
