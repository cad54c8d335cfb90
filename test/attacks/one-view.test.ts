import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { outputOf, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
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
  const reads = `cat real/plan; tail -n 1 real/plan; cat ${workspace}/real/plan; head real/notes real/plan`;
  for (const to of ["../out", out, `${workspace}/../out`]) {
    const { said } = await attempt(`python3 sw.py real ${to}; ${reads}`);
    assert.doesNotMatch(said, /canary/, to);
  }
  const { said } = await attempt("python3 sw.py real ../out; cat < real/plan");
  assert.match(said, /leads elsewhere/);
});

test("no redirection makes or empties a file behind a link that an earlier command of the line made", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { home, out, workspace, attempt } = made;
  for (const line of [
    "python3 mk.py ../home/.ssh d2 && echo x > d2/rc",
    `python3 mk.py ${out} d2 && echo x >> d2/plan`,
    `python3 mk.py ${workspace} d2 && echo x > d2/rc`,
    "python3 sw.py real ../out && echo x > real/plan",
  ])
    await attempt(line);
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

test("what is hidden in a folder stays hidden wherever a command takes the folder, also for commands that run at the same time", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { path, attempt } = made;
  mkdirSync(path("safe/deep"), { recursive: true });
  writeFileSync(path("safe/deep/.env"), "KEY=canary");
  mkdirSync(path("s\\ a\n#\u00a0\u00e9/.ssh"), { recursive: true });
  for (const name of [".env", ".ssh/x"]) writeFileSync(path(`s\\ a\n#\u00a0\u00e9/${name}`), "KEY=canary");
  writeFileSync(path("safe/deep/x"), "plain");
  const move = `import os, shutil, time
for _ in range(int(__import__("sys").argv[1])):
    for a, b in (("safe/deep", "d1"), ("safe", "d1"), ("safe/deep/.env", "plain"), ("d1", "safe")):
        for act in (os.rename, shutil.move, os.link):
            try: act(a, b)
            except Exception: pass
    time.sleep(0.05)
`;
  writeFileSync(path("move.py"), move);
  const places = ["d1/.env", "d1/deep/.env", "plain", "safe/deep/.env", "safe/.env"];
  const reads = places.map((place) => `cat ${place}; cat < ${place}`).join("; ");
  for (const line of [
    `python3 move.py 1; ${reads}; grep -r KEY .`,
    `python3 move.py 3 | grep -r KEY . ; ${reads}`,
  ]) {
    const { said } = await attempt(line);
    assert.doesNotMatch(said, /canary/, line);
  }
});

test("in a line that runs in the workspace itself no name of a command is resolved outside of its sandbox, and what must be hidden is compared before each command", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { path, workspace, sandbox, out } = made;
  const shell = shellIn(workspace, { sandbox });
  const restore = (): void => {
    rmSync(path("real"), { recursive: true, force: true });
    mkdirSync(path("real"));
    writeFileSync(path("real/plan"), "mine");
  };
  for (const to of ["../out", out]) {
    restore();
    assert.doesNotMatch(
      outputOf(await shell.run(`python3 sw.py real ${to.replace(out, "../work/../out")}; cat real/plan`)),
      /canary/,
    );
    restore();
    await shell.run(`python3 sw.py real ${to} && echo x > real/rc`);
    assert.ok(!existsSync(join(out, "rc")));
  }
  restore();
  writeFileSync(path("real/.env"), "KEY=canary");
  const swapped = `import os
os.rename("real", "moved")
os.symlink("../out", "real")
`;
  writeFileSync(path("swap.py"), swapped);
  const said = outputOf(await shell.run("python3 swap.py; cat moved/.env"));
  assert.match(said, /path-changed.*real\/\.env/);
  assert.doesNotMatch(said, /canary/);
  assert.deepEqual(readdirSync(out).sort(), ["new", "notes", "plan"]);
});

test("a program of the workspace with a name outside of it is the one that the sandbox shows, and not what took its place", async (context) => {
  const made = await twoViews(context);
  if (made === null) return;
  const { path, workspace, sandbox, home, overlays } = made;
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "other"));
  writeFileSync(join(home, "other/tool"), "#!/bin/sh\necho canary\n", { mode: 0o755 });
  writeFileSync(path("tool"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
  symlinkSync(path("tool"), join(home, "bin/tool"));
  writeFileSync(path("put.py"), `import os\nos.unlink("tool")\nos.symlink("${home}/other/tool", "tool")\n`);
  const searchPath = `${home}/bin:/usr/bin:/bin`;
  const shell = shellIn(workspace, { sandbox, overlays, tries: true, searchPath });
  assert.match(outputOf(await shell.run("tool")), /mine/);
  const swapped = await shell.prepare("python3 put.py; tool");
  assert.ok(swapped.ok && swapped.trial !== undefined);
  const { outcome, changed } = await swapped.trial(new AbortController().signal);
  assert.doesNotMatch(outputOf(outcome), /canary/);
  assert.ok(changed);
});
