import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { openCommandOverlays } from "./command-overlays.ts";
import { rememberNothing } from "./workshop.fixture.ts";

/** A repository with one commit, and a function that keeps what a script did in a copy of it. */
async function repository(context: TestContext) {
  const folder = await makeScratchFolder(context);
  const [workspace, state] = [join(folder, "work"), join(folder, "state")];
  mkdirSync(workspace);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: workspace,
      encoding: "utf8",
    }).trim();
  const write = (name: string, text: string): void => writeFileSync(join(workspace, name), text);
  git("init", "--quiet", "--initial-branch=garden");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  write("plan.txt", "roses\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=Begin");
  const overlays = openCommandOverlays(state, rememberNothing);
  const run = async (script: string, meanwhile: () => void) => {
    const overlay = await overlays.open(workspace);
    if (typeof overlay === "string") throw new Error(overlay);
    await using _ = overlay;
    const [program = "", ...enter] = overlay.enter;
    execFileSync(program, [...enter, "/bin/sh", "-ec", `cd ${workspace}\n${script}`], { cwd: "/" });
    meanwhile();
    return await overlays.keep(overlay, { turn: "t", session: "s" });
  };
  return { workspace, git, write, run, subject: () => git("log", "-1", "--format=%s") };
}

const commit = "echo tulips > fin.txt; git add fin.txt; git commit --quiet --message=Tulips";

test("a commit is not kept at all where somebody staged a file meanwhile, and is made when it is run again", async (context) => {
  const { git, write, run, subject } = await repository(context);
  const { made, conflicts } = await run(commit, () => {
    write("mine.txt", "mine\n");
    git("add", "mine.txt");
  });
  assert.deepEqual([made, conflicts.length], [[], 1], conflicts.join("\n"));
  assert.match(conflicts.join(), /\.git\/index was changed by somebody else .* Run it again/);
  assert.deepEqual([subject(), git("status", "--short")], ["Begin", "A  mine.txt"]);
  assert.deepEqual((await run(commit, () => {})).conflicts, []);
  assert.deepEqual([subject(), git("status", "--short")], ["Tulips", ""]);
});

test("what a stash takes from the work tree stays where the stash itself cannot be kept", async (context) => {
  const { workspace, git, write, run } = await repository(context);
  write("plan.txt", "roses and tulips\n");
  await run("git stash --quiet", () => {
    write("mine.txt", "mine\n");
    git("add", "mine.txt");
  });
  assert.equal(readFileSync(join(workspace, "plan.txt"), "utf8"), "roses and tulips\n");
  assert.equal(git("stash", "list"), "");
});

test("a commit is kept where somebody else saved a file meanwhile, or wrote an object that it has", async (context) => {
  const { workspace, git, write, run, subject } = await repository(context);
  const { conflicts } = await run(commit, () => {
    write("plan.txt", "oaks\n");
    write("same.txt", "tulips\n");
    git("hash-object", "-w", join(workspace, "same.txt"));
  });
  assert.deepEqual(conflicts, []);
  assert.deepEqual([subject(), git("status", "--short")], ["Tulips", "M plan.txt\n?? same.txt"]);
  git("fsck", "--strict", "--full");
});

test("where no commit was made, what the line did beside the index is kept", async (context) => {
  const { git, write, run } = await repository(context);
  const { conflicts } = await run("echo tulips > fin.txt; git add fin.txt", () => {
    write("mine.txt", "mine\n");
    git("add", "mine.txt");
  });
  assert.match(conflicts.join(), /^[^ ]*\.git\/index was changed by somebody else .* stays as it is\.$/);
  assert.equal(git("status", "--short"), "A  mine.txt\n?? fin.txt");
});

test("a large pack that git gave another time is no difference", async (context) => {
  const { workspace, run } = await repository(context);
  const pack = join(workspace, `.git/objects/pack/pack-${"0".repeat(40)}.pack`);
  writeFileSync(pack, "");
  truncateSync(pack, 65_000_000);
  const { made } = await run(`touch -d 2001-02-03 ${pack}`, () => {});
  assert.ok(!made.includes(pack));
});

test("a large pack with other contents in its place is kept, whatever its name and its time say", async (context) => {
  const { workspace, run } = await repository(context);
  const pack = join(workspace, `.git/objects/pack/pack-${"0".repeat(40)}.pack`);
  writeFileSync(pack, "");
  truncateSync(pack, 65_000_000);
  const mend = (word: string): string =>
    `cp ${pack} ${workspace}/whole; truncate -s -4 ${workspace}/whole; printf ${word} >> ${workspace}/whole`;
  const keepTime = `touch -r ${pack} ${workspace}/whole`;
  for (const [word, ...rest] of [["mine"], ["ours", keepTime]] as const) {
    const { made } = await run([mend(word), ...rest, `mv ${workspace}/whole ${pack}`].join("\n"), () => {});
    assert.deepEqual(made, [pack]);
    assert.equal(readFileSync(pack).subarray(-4).toString(), word);
  }
});
