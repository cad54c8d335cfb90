import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { comparableSteps } from "../../../act/comparable-steps.ts";
import { makeScratchFolder, shellIn } from "../../../act/tools/shell/shell.fixture.ts";
import { describeProposals, joinSteps, type Proposal } from "./describe-proposals.ts";

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await makeScratchFolder(t);
  for (const name of ["a", "b"]) await writeFile(join(folder, name), name);
  await mkdir(join(folder, "d"));
  await symlink("a", join(folder, "link"));
  return folder;
}

async function proposalOf(folder: string, name: string, lines: readonly string[]): Promise<Proposal> {
  const calls = await Promise.all(
    lines.map(async (cmd) => {
      const prepared = await shellIn(folder).prepare(cmd);
      assert.ok(prepared.ok);
      const action = { target: "tool", payload: { tool: "shell", args: { cmd } }, explanation: "" };
      return { action, effects: prepared.effects, steps: comparableSteps("shell", prepared) };
    }),
  );
  return { words: `${name} would`, steps: joinSteps(calls.flatMap(({ steps }) => steps)), calls };
}

test("commands that do the same are the same, however they are written", async (t) => {
  const folder = await makeFolder(t);
  for (const [one, other] of [
    [["rm a"], ["rm ./a"]],
    [["rm a"], [`rm -f -- ${folder}/a`]],
    [["rm a"], ["unlink d/../a"]],
    [["rm -r d"], ["rm -R -fv ./d"]],
    [["rm -rf d"], ["rm -f -r ./d"]],
    [["rm a b"], ["rm b a"]],
    [["rm a b"], ["rm a && rm b"]],
    [["rm a b"], ["rm b", "rm a; rm a"]],
    [["rm a"], ["ls", "rm a", "cat b"]],
    [["mv a c"], ["mv -v ./a ./c"]],
    [["mkdir -p e/f"], [`mkdir -vp ${folder}/e/f`]],
    [["npm test"], ["npm test"]],
  ] as const) {
    const [left, right] = await Promise.all([proposalOf(folder, "x", one), proposalOf(folder, "y", other)]);
    assert.equal(left.steps, right.steps, `${one.join()} = ${other.join()}`);
  }
});

test("commands that differ in what they do are not the same, also where their effects have the same names", async (t) => {
  const folder = await makeFolder(t);
  for (const [one, other] of [
    [["rm a"], ["rm b"]],
    [["rm a"], ["rm a b"]],
    [["rm d"], ["rm -r d"]],
    [["rm a"], ["rm -i a"]],
    [["rm link"], ["rm a"]],
    [["rm a"], ["mv a b"]],
    [["rm a && rm b"], ["rm a || rm b"]],
    [["test -f b && rm a"], ["test -f b || rm a"]],
    [["test -f b && rm a"], ["rm a"]],
    [["! rm a"], ["rm a"]],
    [["date > a"], ["date >> a"]],
    [["echo a > b"], ["echo ./a > b"]],
    [["rm a > b"], ["rm a"]],
    [["A=1 make"], ["A=2 make"]],
    [["mv a b"], ["mv b a"]],
    [["mv a c"], ["mv -n a c"]],
    [["mv a c"], ["mv a c/"]],
    [
      ["cp a b", "rm a"],
      ["rm a", "cp a b"],
    ],
    [["cd d && rm a"], ["rm a"]],
    [["rm a | cat"], ["rm a"]],
    [["sudo rm a"], ["rm a"]],
    [["ln -s ../a c"], ["ln -s a c"]],
    [[], ["rm a"]],
  ] as const) {
    const [left, right] = await Promise.all([proposalOf(folder, "x", one), proposalOf(folder, "y", other)]);
    assert.notEqual(left.steps, right.steps, `${one.join()} ≠ ${other.join()}`);
  }
});

test("what only one model would do is told first, and what tells commands of the same effects apart", async (t) => {
  const folder = await makeFolder(t);
  const many = "rm a b c e f g";
  const said = describeProposals(await proposalOf(folder, "x", [many]), [
    await proposalOf(folder, "y", [many, "rm h"]),
    { words: "z answered with words and proposed nothing", steps: null, calls: [] },
  ]);
  assert.match(said, /; y would run rm h.*, delete \S+\/h, .* and 5 more; z answered/);
  const [both, either] = await Promise.all([
    proposalOf(folder, "x", ["test -f b && rm a"]),
    proposalOf(folder, "y", ["test -f b || rm a"]),
  ]);
  assert.match(
    describeProposals(both, [either]),
    /, as test -f b && rm a; y would .*, as test -f b \|\| rm a$/,
  );
});
