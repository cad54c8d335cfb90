import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { canReadAttributes } from "../sandbox/extended-attributes.ts";
import { openOverlay } from "../sandbox/overlay.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import type { Step } from "./exchange.ts";
import { plant, workshop } from "./workshop.fixture.ts";

test("what a command changed is as it was after an undo: modes, links, times, hard links, folders and odd names", async (context) => {
  const { workspace, run, undo, listing, set, state } = workshop(await makeScratchFolder(context));
  execFileSync("/bin/sh", ["-ec", plant], { env: { WORK: workspace } });
  const scripts = [
    "rm -rf $WORK/d",
    "cd $WORK; chmod 755 d/e; rm -r d; mkdir d; echo new > d/new",
    "cd $WORK; rm file; ln -s /etc/passwd file; mv d/one d/moved",
    "cd $WORK; mv d other; echo more >> other/one; rm -rf a*; touch d",
    "cd $WORK; rm -r d; ln -s . d; echo > x; mkdir -p p/q/r; touch p/q/r/s",
    "cd $WORK; chmod 700 d; chmod 600 file; echo changed > d/link",
  ];
  for (const script of scripts) {
    const before = listing();
    const kept = await run(script);
    assert.deepEqual(kept.conflicts, [], script);
    const after = listing();
    assert.notEqual(after, before, script);
    const undone = await undo(set(), "undo");
    assert.deepEqual(undone.conflicts, [], script);
    assert.equal(listing(), before, script);
    const again = await undo(join(state, "undo"), "redo");
    assert.deepEqual(again.conflicts, [], script);
    assert.equal(listing(), after, script);
    assert.deepEqual((await undo(join(state, "redo"), "last")).conflicts, [], script);
    execFileSync("/bin/sh", ["-c", "chmod -R u+w .; rm -rf undo redo last"], { cwd: state });
  }
});

test("a folder of 3,000 files that a command deleted comes back whole within two seconds", async (context) => {
  const { workspace, run, undo, listing, folderTimes, set } = workshop(await makeScratchFolder(context));
  for (let folder = 0; folder < 30; folder += 1) {
    mkdirSync(join(workspace, "tree", String(folder)), { recursive: true });
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(workspace, "tree", String(folder), `${file}`), `${folder} ${file}`);
  }
  const before = [listing(), folderTimes()];
  const { done } = await run("rm -rf $WORK/tree");
  assert.equal(done.length, 1);
  assert.deepEqual(readdirSync(workspace), []);
  const began = performance.now();
  await undo(set(), "undo");
  const took = performance.now() - began;
  context.diagnostic(`undone in ${took.toFixed(1)} ms`);
  assert.deepEqual([listing(), folderTimes()], before);
});

test("what somebody changed while the command ran, or since, stays as it is and is told", async (context) => {
  const { workspace, run, undo, set } = workshop(await makeScratchFolder(context));
  const path = (name: string): string => join(workspace, name);
  mkdirSync(path("d"));
  for (const name of ["edited", "d/inner", "kept"]) writeFileSync(path(name), "before");
  const kept = await run("cd $WORK; rm -r d; echo mine > edited; echo mine > kept; echo mine > fresh", {
    meanwhile() {
      writeFileSync(path("edited"), "theirs");
      writeFileSync(path("d/inner"), "theirs");
      writeFileSync(path("fresh"), "theirs");
    },
  });
  assert.equal(kept.conflicts.length, 3, kept.conflicts.join("\n"));
  const held = () =>
    execFileSync("cat", ["edited", "d/inner", "fresh", "kept"], { cwd: workspace, encoding: "utf8" });
  assert.equal(held(), "theirstheirstheirsmine\n");
  writeFileSync(path("kept"), "later");
  const undone = await undo(set(), "undo");
  assert.match(undone.conflicts.join(), /kept was changed by somebody else since/);
  assert.equal(held(), "theirstheirstheirslater");
});

for (const [what, change, missing] of [
  ...(process.getuid?.() === 0 ? [["the owner", "chown 4711:4711 $F", null] as const] : []),
  [
    "the list of access",
    "setfacl -m u:4711:r $F",
    existsSync("/usr/bin/setfacl") ? null : "install the package acl",
  ],
  [
    "an attribute",
    "setfattr -n user.x -v y $F",
    existsSync("/usr/bin/setfattr") ? null : "install the package attr",
  ],
] as const)
  test(`${what} that somebody gave a file since stays, and an undo and a redo leave that file`, {
    skip: missing ?? false,
  }, async (context) => {
    const { workspace, state, run, undo, set } = workshop(await makeScratchFolder(context));
    const path = (name: string): string => join(workspace, name);
    const give = (name: string) => execFileSync("/bin/sh", ["-c", change], { env: { F: path(name) } });
    for (const name of ["file", "other"]) writeFileSync(path(name), "before");
    await run("cd $WORK; for f in file other; do echo mine > $f; done; mkdir d; echo mine > d/inner");
    for (const name of ["file", "d/inner"]) give(name);
    const undone = await undo(set(), "undo");
    const left = ["d/inner", "file", "other"].map((name) => readFileSync(path(name), "utf8"));
    assert.deepEqual(left, ["mine\n", "mine\n", "before"], undone.conflicts.join("\n"));
    assert.equal(undone.conflicts.length, 2);
    for (const line of undone.conflicts)
      assert.match(line, /^The owner, .* of \/.*\/(?:d|file) were changed by somebody else since/);
    give("other");
    assert.match((await undo(join(state, "undo"), "redo")).conflicts.join(), /\/other were changed/);
    assert.equal(readFileSync(path("other"), "utf8"), "before");
  });

test("an undo says of what was deleted that it is there again, and of what somebody deleted that they did", async (context) => {
  const { workspace, run, undo, set } = workshop(await makeScratchFolder(context));
  const [gone, edited] = [join(workspace, "gone"), join(workspace, "edited")];
  for (const path of [gone, edited]) writeFileSync(path, "before");
  await run("cd $WORK; rm gone; echo mine > edited");
  rmSync(edited);
  const { done, conflicts } = await undo(set(), "undo");
  assert.deepEqual(done, [`${gone} is there again.`]);
  assert.deepEqual(conflicts, [`${edited} was deleted by somebody else since, so it was left as it is.`]);
});

test("what somebody saves between the comparison and the exchange stays as it is and is told", async (context) => {
  const { workspace, run } = workshop(await makeScratchFolder(context));
  for (const name of ["edited", "other"]) writeFileSync(join(workspace, name), "before");
  const { conflicts } = await run("cd $WORK; echo mine > edited; echo mine > fresh; echo mine > other", {
    step(step) {
      if (step !== "recorded") return;
      for (const name of ["edited", "fresh"]) writeFileSync(join(workspace, name), "theirs");
    },
  });
  assert.equal(conflicts.filter((line) => /(edited|fresh) .*somebody else changed it/.test(line)).length, 2);
  const held = execFileSync("cat", ["edited", "fresh", "other"], { cwd: workspace, encoding: "utf8" });
  assert.equal(held, "theirstheirsmine\n");
});

test("what was moved stays where it was as long as it cannot be made where it goes, with a keeping and with an undo", async (context) => {
  const { workspace, run, undo, set, state } = workshop(await makeScratchFolder(context));
  const [old, moved] = [join(workspace, "old"), join(workspace, "moved")];
  writeFileSync(old, "contents");
  const script = "cd $WORK; mv old moved; echo > other";
  const theirs = (path: string) => () => writeFileSync(path, "theirs");
  const atLast =
    (act: () => void): Step =>
    (step) => {
      if (step === "recorded") act();
    };
  for (const options of [{ meanwhile: theirs(moved) }, { step: atLast(theirs(moved)) }]) {
    const { done, conflicts } = await run(script, options);
    assert.deepEqual(done, [`${workspace}/other was made.`]);
    assert.equal(conflicts.length, 2);
    assert.ok(conflicts.includes(`${old} stays as it is, since ${moved} could not be made.`));
    assert.equal(readFileSync(old, "utf8"), "contents");
    rmSync(moved);
    rmSync(join(workspace, "other"));
  }
  assert.deepEqual((await run(script)).conflicts, []);
  writeFileSync(old, "theirs");
  assert.deepEqual((await undo(set(), "early")).done, []);
  assert.equal(readFileSync(moved, "utf8"), "contents");
  rmSync(old);
  const { done } = await undo(set(), "undo", atLast(theirs(old)));
  assert.deepEqual(done, []);
  assert.equal(readFileSync(moved, "utf8"), "contents");
  rmSync(old);
  // What could not be undone is no part of the undo, and can be undone again.
  assert.deepEqual((await undo(set(), "again")).conflicts, []);
  assert.deepEqual(readdirSync(workspace), ["old"]);
  assert.deepEqual((await undo(join(state, "again"), "redo")).conflicts, []);
  assert.deepEqual(readdirSync(workspace), ["moved", "other"]);
});

test("what a command makes, moves and deletes of pipes and sockets is made, and comes back with an undo", async (context) => {
  const { workspace, run, undo, listing, set } = workshop(await makeScratchFolder(context));
  const listen = (name: string) =>
    `cd ${workspace} && ${process.execPath} -e 'require("net").createServer().listen("${name}", () => process.kill(process.pid, 9))' || true`;
  execFileSync("/bin/sh", ["-ec", `cd "$WORK"; mkfifo old moved left; ${listen("gone")}`], {
    env: { WORK: workspace },
  });
  const before = listing();
  const script = `cd $WORK; mkfifo -m 600 made; rm old gone; mv moved there; chmod 600 left; ${listen("socket")}`;
  assert.deepEqual((await run(script)).conflicts, []);
  const kinds = readdirSync(workspace, { withFileTypes: true });
  assert.deepEqual(
    kinds.filter((entry) => entry.isFIFO()).map(({ name }) => name),
    ["left", "made", "there"],
  );
  assert.deepEqual(
    kinds.filter((entry) => entry.isSocket()).map(({ name }) => name),
    ["socket"],
  );
  assert.equal(statSync(join(workspace, "left")).mode & 0o7777, 0o600);
  assert.deepEqual((await undo(set(), "undo")).conflicts, []);
  assert.equal(listing(), before);
});

test("set-uid bits are not kept", async (context) => {
  const { workspace, run, listing } = workshop(await makeScratchFolder(context));
  writeFileSync(join(workspace, "tool"), "x", { mode: 0o755 });
  await run("cd $WORK; chmod 6755 tool; cp -p tool other; mkdir in; chmod 4755 other; cp -p other in/third");
  assert.doesNotMatch(listing(), / f \d{4} /);
  assert.match(listing(), /in\/third/);
});

test("set-uid and sticky bits that were there before come back with an undo", async (context) => {
  const { workspace, run, undo, listing, set } = workshop(await makeScratchFolder(context));
  execFileSync(
    "/bin/sh",
    ["-ec", "cd $WORK; chmod 1775 .; echo x > tool; chmod 4755 tool; mkdir -m 1777 d"],
    {
      env: { WORK: workspace },
    },
  );
  const before = listing();
  await run("cd $WORK; rm tool; rm -r d; echo y > made");
  assert.equal(statSync(workspace).mode & 0o7777, 0o1775);
  assert.deepEqual((await undo(set(), "undo")).conflicts, []);
  assert.equal(listing(), before);
  assert.match(before, /tool f 4755/);
});

test("a file that was opened for writing and left alone is no difference", async (context) => {
  const { workspace, run } = workshop(await makeScratchFolder(context));
  writeFileSync(join(workspace, "db"), "x");
  assert.deepEqual(await run(": >> $WORK/db"), { done: [], conflicts: [], made: [] });
});

test("whoever reads the state while an overlay is open can open every folder of it", async (context) => {
  const { workspace, state } = workshop(await makeScratchFolder(context));
  const overlay = await openOverlay(workspace, state);
  if (typeof overlay === "string") throw new Error(overlay);
  await using _ = overlay;
  const closed = execFileSync("find", [state, "-type", "d", "!", "-perm", "-700"], { encoding: "utf8" });
  assert.equal(closed, "");
});

test("what an overlay notes for itself stays on nothing that is kept", async (context) => {
  if (!(await canReadAttributes())) return context.skip("install the package attr");
  const { workspace, run, undo, set, state } = workshop(await makeScratchFolder(context));
  const marks = (): string =>
    execFileSync("getfattr", ["--recursive", "--dump", "--match=^user", "."], {
      cwd: workspace,
      encoding: "utf8",
    });
  const script = "cd $WORK; echo 2 >> a; rm -r d; mkdir d; echo 3 > d/n; mv b c";
  execFileSync("/bin/sh", ["-c", "echo 1 > a; mkdir d; echo 1 > d/x; echo 1 > b"], { cwd: workspace });
  await run(script);
  assert.equal(marks(), "");
  await undo(set(), "undo");
  await undo(join(state, "undo"), "redo");
  assert.equal(marks(), "");
});
