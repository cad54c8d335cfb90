import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { workshop } from "./workshop.fixture.ts";

/** Only root can make files of others: `.ci/run` runs these tests as root, too. */
const isRoot = process.getuid?.() === 0;
const [member, other, team] = [4001, 4002, 4242];

/** A folder of a team that hands its group down, with a file of another member in it. */
function teamFolder(root: string): { readonly workspace: string; readonly give: typeof give } {
  chmodSync(root, 0o755);
  const workspace = join(root, "work");
  mkdirSync(workspace);
  chownSync(workspace, other, team);
  chmodSync(workspace, 0o2775);
  function give(name: string, owner: number, mode = 0o664): void {
    writeFileSync(join(workspace, name), "plan\n");
    chownSync(join(workspace, name), owner, team);
    chmodSync(join(workspace, name), mode);
  }
  return { workspace, give };
}

const describe = (path: string): string => {
  const { uid, gid, mode } = statSync(path);
  return `${uid} ${gid} ${(mode & 0o7777).toString(8)} ${readFileSync(path, "utf8").trim()}`;
};

if (isRoot)
  test("a member of a team edits, makes and takes back files in the team's folder: owner, group, mode and list of access stay", async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, give } = teamFolder(root);
    for (const [name, owner] of [
      ["theirs", other],
      ["own", member],
      ["undone", other],
    ] as const)
      give(name, owner);
    give("closed", other, 0o644);
    const path = (name: string): string => join(workspace, name);
    const hasLists = existsSync("/usr/bin/setfacl");
    if (hasLists)
      for (const name of ["theirs", "own"]) execFileSync("setfacl", ["-m", "u:4003:rw", path(name)]);
    const state = join(root, "state");
    mkdirSync(state);
    chownSync(state, member, member);
    const fixture = fileURLToPath(new URL("team-member.fixture.ts", import.meta.url));
    const ids = ["--reuid", String(member), "--regid", String(member), "--groups", String(team)];
    const node = [process.execPath, "--disable-warning=ExperimentalWarning", fixture, workspace, state];
    const said: unknown = JSON.parse(execFileSync("setpriv", [...ids, ...node], { encoding: "utf8" }));
    assert.deepEqual(
      ["theirs", "own", "undone", "made", "closed"].map((name) => describe(path(name))),
      [
        `${other} ${team} 664 edited`,
        `${member} ${team} 664 edited`,
        `${other} ${team} 664 plan`,
        `${member} ${team} 644 edited`,
        `${other} ${team} 644 plan`,
      ],
    );
    assert.deepEqual(said, {
      refused: "no-permission",
      problem: `${workspace} belongs to another user or group, which no copy of the folder can hold`,
    });
    for (const name of hasLists ? ["theirs", "own"] : [])
      assert.match(execFileSync("getfacl", ["-n", path(name)], { encoding: "utf8" }), /user:4003:rw-/, name);
  });

if (isRoot)
  test("what a command of root changes keeps its owner and group, and what it makes has the group that the folder hands down, also after undo and redo", async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, give } = teamFolder(root);
    for (const name of ["added", "replaced", "deleted"]) give(name, other);
    const { run, undo, set, state } = workshop(root, workspace);
    const seen = () =>
      ["added", "replaced", "deleted", "made"].map((name) =>
        existsSync(join(workspace, name)) ? describe(join(workspace, name)) : "",
      );
    const before = seen();
    const after = [`${other} ${team} 664 plan\nmore`, `${other} ${team} 644 new`, "", `0 ${team} 644 made`];
    const { conflicts } = await run(
      "cd $WORK; echo more >> added; echo new > part; mv part replaced; rm deleted; echo made > made",
    );
    assert.deepEqual(conflicts, []);
    assert.deepEqual(seen(), after);
    assert.equal(statSync(workspace).mode & 0o7777, 0o2775);
    await undo(set(), "undo");
    assert.deepEqual(seen(), before);
    await undo(join(state, "undo"), "redo");
    assert.deepEqual(seen(), after);
  });

if (isRoot)
  test("a folder of another user that a command of root moves keeps its owners, also where the command may give nothing away, and what it wrote in it is root's", async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, give } = teamFolder(root);
    for (const folder of ["d", "d/sub", "own"]) mkdirSync(join(workspace, folder), { mode: 0o2775 });
    give("d/b.txt", other);
    give("d/sub/c.txt", member);
    give("d/sub/root.txt", 0);
    for (const folder of ["d", "d/sub"]) chownSync(join(workspace, folder), other, team);
    execFileSync("ln", ["-s", "b.txt", join(workspace, "d/link")]);
    execFileSync("chown", ["-h", `${other}:${other}`, join(workspace, "d/link")]);
    const owners = (): string =>
      execFileSync("find", [".", "-mindepth", "1", "-printf", "%P %u %g\\n"], {
        cwd: workspace,
        encoding: "utf8",
      })
        .split("\n")
        .sort()
        .join("\n");
    const before = owners();
    const { run, undo, set } = workshop(root, workspace);
    const mv = "setpriv --bounding-set=-chown mv";
    const { conflicts } = await run(
      `cd $WORK; ${mv} d e; sed s/plan/new/ e/b.txt > e/n; mv e/n e/b.txt; echo x > e/made`,
    );
    assert.deepEqual(conflicts, []);
    assert.equal(readFileSync(join(workspace, "e/b.txt"), "utf8"), "new\n");
    const moved = before.replace(/^d/gm, "e").replace(`b.txt ${other}`, "b.txt root").split("\n");
    assert.equal(owners(), [...moved, `e/made root ${team}`].sort().join("\n"));
    await undo(set(), "undo");
    assert.equal(owners(), before);
  });

if (isRoot)
  test("root gives nobody a file that is only like another user's by name, time or size, a copy, or a folder with files from elsewhere", async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, give } = teamFolder(root);
    const old = "touch -d 2001-02-03";
    mkdirSync(join(workspace, "theirs"));
    chownSync(join(workspace, "theirs"), other, team);
    for (const name of ["theirs/readme", "theirs/tool", "kept"]) give(name, other);
    execFileSync("/bin/sh", ["-c", `${old} theirs/readme theirs/tool kept`], { cwd: workspace });
    const { run } = workshop(root, workspace);
    const unpack = `mkdir bin; echo plan > bin/readme; echo evil > bin/tool; echo plan > bin/other; ${old} bin/*`;
    const copy = "setpriv --bounding-set=-chown cp -p kept copy || true; echo more >> kept";
    await run(`cd $WORK; rm -r theirs; ${unpack}; ${copy}`);
    for (const name of ["bin", "bin/tool", "bin/other", "copy"])
      assert.equal(statSync(join(workspace, name)).uid, 0, name);
    assert.equal(statSync(join(workspace, "kept")).uid, other);
  });

/** Binds a folder to itself, read-only. */
function closeForWriting(folder: string): Disposable {
  execFileSync("mount", ["--bind", folder, folder]);
  const open = (): void => void execFileSync("umount", ["--lazy", folder]);
  try {
    execFileSync("mount", ["-o", "remount,ro,bind", folder]);
  } catch (fault) {
    open();
    throw fault;
  }
  return { [Symbol.dispose]: open };
}

if (isRoot)
  test("on a disk that is read-only a command is told so by the names that the person knows, and a member of a team has no copy of what the kernel cannot copy", async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, give } = teamFolder(root);
    for (const name of ["theirs", "own", "undone"]) give(name, other);
    using _ = closeForWriting(workspace);
    const { run } = workshop(root, workspace);
    const { conflicts } = await run("cd $WORK; echo more >> theirs; mkdir made; rm own");
    const reason = "the file system is read-only. Mount it writable, or choose another place.";
    assert.deepEqual(conflicts.toSorted(), [
      `${workspace}/made could not be made: ${reason}`,
      `${workspace}/own stays as it is, since ${workspace}/made could not be made.`,
      `${workspace}/theirs could not be replaced: ${reason}`,
    ]);
    const state = join(root, "team");
    mkdirSync(state);
    chownSync(state, member, member);
    const overlays = new URL("command-overlays.ts", import.meta.url).href;
    const fixture = new URL("workshop.fixture.ts", import.meta.url).href;
    const script = `const { openCommandOverlays } = await import(${JSON.stringify(overlays)});
      const { rememberNothing } = await import(${JSON.stringify(fixture)});
      console.log(await openCommandOverlays(${JSON.stringify(state)}, rememberNothing).problem(${JSON.stringify(workspace)}));`;
    const ids = ["--reuid", String(member), "--regid", String(member), "--groups", String(team)];
    const node = [process.execPath, "--input-type=module", "-e", script];
    assert.match(
      execFileSync("setpriv", [...ids, ...node], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      /belongs to another user or group, which no copy of the folder can hold/,
    );
  });
