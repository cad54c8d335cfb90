import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { court } from "./trial-court.ts";

/** Puts a link to its second word in the place of the folder that its first word names. */
const swap = "import os, shutil, sys\nshutil.rmtree(sys.argv[1])\nos.symlink(sys.argv[2], sys.argv[1])\n";
/** Makes a link to its first word under the name of its second. */
const makeLink = "import os, sys\nos.symlink(sys.argv[1], sys.argv[2])\n";

/** A workspace with a folder `real`, beside folders that hold what no line may see. */
async function twoViews(context: TestContext) {
  const made = await court(context);
  if (made === null) return null;
  const { home, path, workspace } = made;
  const out = join(workspace, "../out");
  for (const folder of [path("real"), out, join(home, ".ssh")]) mkdirSync(folder);
  writeFileSync(path("real/plan"), "the plan of the workspace");
  for (const file of ["plan", "notes", "new"]) writeFileSync(join(out, file), `canary ${file}`);
  writeFileSync(join(home, ".ssh/id_rsa"), "canary key");
  writeFileSync(path("sw.py"), swap);
  writeFileSync(path("mk.py"), makeLink);
  return { ...made, out };
}

test("what a link of an earlier command leads to outside is read by no later command of the line, by name or by redirection", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { workspace, out, attempt } = made;
  for (const to of ["../out", out, `${workspace}/../out`]) {
    for (const read of [
      "cat real/plan",
      "cat < real/plan",
      "tail -n 1 real/plan",
      `cat ${workspace}/real/plan`,
    ]) {
      const { said } = await attempt(`python3 sw.py real ${to}; ${read}`);
      assert.doesNotMatch(said, /canary/, `${to}: ${read}`);
    }
  }
});

test("no redirection makes or empties a file behind a link that an earlier command of the line made", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { home, out, workspace, attempt } = made;
  for (const to of ["../home/.ssh", join(home, ".ssh"), "../out", out, workspace]) {
    await attempt(`python3 mk.py ${to} d2 && echo x > d2/rc`);
    await attempt(`python3 mk.py ${to} d2 && echo x >> d2/plan`);
    await attempt(`python3 sw.py real ${to} && echo x > real/plan`);
  }
  // An absolute link to the folder itself leads into the workspace, not into the copy.
  await attempt(`python3 sw.py real ${workspace}/real && echo x > real/plan`);
  assert.deepEqual(readdirSync(join(home, ".ssh")), ["id_rsa"]);
  assert.deepEqual(readdirSync(out).sort(), ["new", "notes", "plan"]);
  assert.equal(readFileSync(join(out, "plan"), "utf8"), "canary plan");
  assert.equal(readFileSync(join(workspace, "real/plan"), "utf8"), "the plan of the workspace");
  assert.ok(!existsSync(join(workspace, "rc")));
});

test("a folder that a link takes the place of is a deletion of all that it held, whatever the link leads to, and comes back", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { path, attempt, workspace, undo } = made;
  for (const to of [path("other"), "other", `${workspace}/real2/../other`]) {
    for (const folder of ["real", "other"]) {
      mkdirSync(path(folder), { recursive: true });
      for (const name of ["plan", "Makefile"])
        writeFileSync(path(`${folder}/${name}`), `${name} of ${folder}`);
    }
    const { kept } = await attempt(`python3 sw.py real ${to}`);
    const deleted = kept.effects.filter(({ kind }) => kind === "delete-path").map(({ target }) => target);
    assert.ok(deleted.includes(path("real")) && deleted.includes(path("real/Makefile")), deleted.join(" "));
    const link = kept.effects.find(({ kind, target }) => kind === "write-path" && target === path("real"));
    assert.match(link?.kind === "write-path" ? (link.executedLater ?? "") : "", /Makefile/);
    outputOf(await kept.run(new AbortController().signal));
    assert.ok(lstatSync(path("real")).isSymbolicLink());
    await undo();
    assert.equal(readFileSync(path("real/Makefile"), "utf8"), "Makefile of real");
  }
});
