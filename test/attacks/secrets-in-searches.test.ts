import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";

/** A workspace with a plain file and secret ones, in which each holds the same word. */
async function workspace(context: TestContext): Promise<string> {
  const folder = await makeScratchFolder(context);
  for (const path of ["sub/.ssh", "other"]) await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, "plain"), "NEEDLE plain\n");
  for (const name of [".env", "sub/.env", "sub/.ssh/config", "sub/id_rsa"]) {
    await writeFile(join(folder, name), "NEEDLE secret\n");
  }
  await writeFile(join(folder, "other", "plain"), "NEEDLE elsewhere\n");
  return folder;
}

const searches = [
  "grep -r NEEDLE",
  "grep -rn NEEDLE .",
  "grep -r --include=.env --include=plain NEEDLE .",
  "egrep -rh NEEDLE sub other .",
  "fgrep --recursive NEEDLE . | sort",
  "grep -r -e NEEDLE . other",
  "grep -r -- NEEDLE .",
  "grep -re -- -e NEEDLE .",
  "diff -r . other",
  "rg -uu NEEDLE",
  "rg --hidden -g .env -g plain NEEDLE .",
];

for (const [name, confined] of [
  ["without a sandbox", false],
  ["in the sandbox", true],
] as const) {
  test(`${name} a search leaves out the secret files that it meets, and says so`, async (context) => {
    const sandbox = confined ? await sandboxFor(context) : null;
    if (confined && sandbox === null) return;
    const shell = shellIn(await workspace(context), { sandbox });
    for (const cmd of searches) {
      const prepared = await shell.prepare(cmd);
      assert.ok(prepared.ok);
      assert.ok(
        prepared.effects.every(({ kind, target }) => kind !== "read-path" || !/env|ssh|id_rsa/.test(target)),
        cmd,
      );
      const [ran] = prepared.effects;
      assert.ok(ran?.kind === "run-program" && ran.proof !== null, cmd);
      const said = outputOf(await prepared.run(new AbortController().signal));
      if (said.startsWith("not-installed")) continue;
      assert.match(said, /plain/, cmd);
      assert.doesNotMatch(said, /NEEDLE secret/, cmd);
      assert.match(said, /"note":"[^"]*left out[^"]*sub\/\.env/i, cmd);
    }
    assert.doesNotMatch(outputOf(await shell.run("grep -r NEEDLE other")), /left out/);
  });
}

test("a secret file that a search names itself is a read that is judged", async (context) => {
  const folder = await workspace(context);
  for (const cmd of ["grep -r NEEDLE . sub/.env", "grep -r NEEDLE sub/.ssh", "cat .env"]) {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok);
    const read = prepared.effects.filter(({ kind }) => kind === "read-path").map(({ target }) => target);
    assert.ok(
      read.some((target) => /\.env|\.ssh/.test(target)),
      cmd,
    );
  }
});

test("names with the characters of patterns, and links with a secret's name, are left out as they are", async (context) => {
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "we[i]rd*", ".ssh"), { recursive: true });
  await writeFile(join(folder, "we[i]rd*", ".ssh", "a"), "NEEDLE secret\n");
  await writeFile(join(folder, "re?al\\[1]"), "NEEDLE secret\n");
  await writeFile(join(folder, "really1"), "NEEDLE plain\n");
  await symlink("re?al\\[1]", join(folder, ".netrc"));
  const said = outputOf(await shellIn(folder).run("grep -r NEEDLE ."));
  assert.match(said, /NEEDLE plain/);
  assert.doesNotMatch(said, /NEEDLE secret/);
});

test("without a sandbox git shows its changes beside a secret file, and nothing of that file", async (context) => {
  const folder = await workspace(context);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", "-f", ".");
  git("commit", "-qm", "x");
  for (const name of ["plain", ".env", "sub/id_rsa"]) await writeFile(join(folder, name), "NEEDLE changed\n");
  await writeFile(join(folder, "plain"), "NEEDLE shown\n");
  const shell = shellIn(folder);
  for (const cmd of ["git diff", "git grep NEEDLE", "git show --stat -p HEAD", "git log -p"]) {
    const prepared = await shell.prepare(cmd);
    assert.ok(prepared.ok);
    assert.ok(
      prepared.effects.every(({ kind, target }) => kind !== "read-path" || !/env|ssh|id_rsa/.test(target)),
      cmd,
    );
    const said = outputOf(await prepared.run(new AbortController().signal));
    assert.match(said, /NEEDLE (?:shown|plain)/, cmd);
    assert.doesNotMatch(said, /NEEDLE (?:secret|changed)/, cmd);
  }
});
