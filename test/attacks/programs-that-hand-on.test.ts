import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { leaveOut } from "../../src/act/shell/programs/exclusions.ts";
import { secretExclusions } from "../../src/act/shell/programs/git-secrets.ts";
import { proveHarmless } from "../../src/act/shell/programs/prove-harmless.ts";
import { makeScratchFolder, outputOf, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { isSecretPath } from "../../src/gate/secret-path.ts";
import { secretFileNames, secretFolderNames, secretPlaceNames } from "../../src/text/secret-names.ts";

test("a tool that runs what a file of its folder names is not vouched for, not even for its version", () => {
  for (const program of ["cargo", "rustc", "go"]) {
    assert.equal(proveHarmless([program, "--version"]).harmless, false, program);
  }
});

test("letters that tree reads as further options are not taken for a value", () => {
  for (const cmd of ["tree -Lo 2 out", "tree -Po x out", "tree -aIo x out", "tree -P -Lo 2 out"]) {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false, cmd);
  }
  for (const cmd of ["tree -L 2", "tree -L2", "tree -a -I node_modules", "tree -aL 2"]) {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, true, cmd);
  }
});

test("a program that takes its arguments from a file is not vouched for, wherever the file is named", () => {
  for (const args of [["@list"], ["-n", "@list"], ["-t", "@list", "a"], ["--bytes", "@list"]]) {
    assert.equal(proveHarmless(["strings", ...args]).harmless, false, args.join(" "));
  }
});

test("both sides of a comparison of dates are names that are judged", () => {
  for (const words of [
    ["a", "-nt", "b"],
    ["!", "a", "-ef", "b"],
    ["-f", "c", "-a", "a", "-ot", "b"],
  ]) {
    const proof = proveHarmless(["test", ...words]);
    const read = proof.harmless ? proof.reads.map(({ path }) => path) : [];
    assert.ok(read.includes("a") && read.includes("b"), words.join(" "));
  }
});

test("a file called - is judged, for the programs that read it instead of their input", async (context) => {
  const folder = await makeScratchFolder(context);
  const reads = async (cmd: string): Promise<readonly string[]> => {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok, cmd);
    return prepared.effects.flatMap((effect) => (effect.kind === "read-path" ? [effect.target] : []));
  };
  const commands = [
    "rev -",
    "column -t -",
    "hexdump -C -",
    "hd -",
    "look S -",
    "cat a -",
    "sed p -",
    "date -f -",
  ];
  for (const cmd of commands) assert.ok(!(await reads(cmd)).includes(join(folder, "-")), cmd);
  await writeFile(join(folder, ".env"), "SECRET\n");
  await symlink(".env", join(folder, "-"));
  for (const cmd of commands) assert.ok((await reads(cmd)).includes(join(folder, ".env")), cmd);
});

test("each program of a chain must be the system's own, not only the first and the last", async (context) => {
  const folder = await makeScratchFolder(context);
  const bin = join(folder, "bin");
  await mkdir(bin);
  await mkdir(join(folder, "work"));
  for (const name of ["timeout", "cat"]) await writeFile(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  const searchPath = `${bin}:/usr/local/bin:/usr/bin:/bin`;
  const sandbox = { program: "bwrap", filter: null, argv: (argv: readonly string[]) => argv };
  for (const cmd of [
    "nice timeout 5 ls",
    "nohup nice timeout 5 ls",
    "env LC_ALL=C nice timeout 5 stdbuf -oL ls",
    "find . -exec cat {} + -exec grep x {} +",
    "find . -exec cat {} ';' -exec ls {} ';' -exec wc {} ';'",
    "ls | nice xargs cat",
  ]) {
    const prepared = await shellIn(join(folder, "work"), { searchPath, sandbox }).prepare(cmd);
    assert.ok(prepared.ok, cmd);
    const doubts = prepared.effects.flatMap((effect) => (effect.kind === "run-program" ? effect.doubt : ""));
    assert.match(doubts.join(), /(?:timeout|cat) is not the system's own program/, cmd);
  }
});

test("a file behind a letter and an equals sign is not taken for another one", () => {
  for (const cmd of ["rg -f=/home/ada/x src", "rg -of=x src", "grep -f=x a", "date -f=x", "date -r=x"])
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false, cmd);
  for (const cmd of ["rg -f x src", "rg -fx src", "rg --file=x src", "grep -m=3 x a", "cut -d= -f1 a"])
    assert.equal(proveHarmless(cmd.split(" ")).harmless, true, cmd);
});

test("words that jq takes as files behind -- are not taken as options", () => {
  for (const cmd of ["jq . -- -n", "jq -- . -r", "jq . a -- -C -n", "jq . -- --arg x y"])
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false, cmd);
  for (const cmd of ["jq -- . a", "jq -n -- 1", "jq . -- -"])
    assert.equal(proveHarmless(cmd.split(" ")).harmless, true, cmd);
});

test("no pattern of a search brings a secret file back that is left out of it", () => {
  // rg(1): "--iglob" is read after every "--glob", and of those that match the last one wins.
  const given = ["rg", "--iglob", ".env", "x"];
  const left = leaveOut(given, { form: "rg", at: given.length }, [{ path: "/w/.env", kind: "file" }]);
  assert.deepEqual(left.slice(given.length), ["--iglob=!**/.env"]);
});

test("git shows no file of its history whose path is secret, with whatever options", async (context) => {
  const folder = await makeScratchFolder(context);
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  const words = (names: Readonly<Record<string, string>>) => Object.values(names).join(" ").split(" ");
  const secrets = [
    ...words(secretFileNames),
    ...words(secretPlaceNames),
    ...words(secretFolderNames).map((name) => `${name}/inside`),
    ..."a.pem b.KEY c.p8 d.key.bak e.pgp~old f.kdb. my-secret.asc identity_xmss ssh_host_x_key a.tfstate.1".split(
      " ",
    ),
    ..."service-account-1.json gcp_key.json x-firebase-adminsdk-y.json .env.local prod.env .env-old".split(
      " ",
    ),
    ...".#.netrc #.netrc# .netrc~ ..netrc.swp .pgpass.bak .authinfo.~1~ #a.pem# .a.pem.swp prod.env.~2~".split(
      " ",
    ),
    ...".netrc.~undo-tree~ .netrc# .netrcbak .npmrc.lock .pgpass;1 netrc.bak env.bak .envbak .env;1 id_rsa.txt".split(
      " ",
    ),
    ..."..env.~undo-tree~ a.pem.lock a.pem;1 a.pembackup prod.env.lock npmrc_old".split(" "),
    ".npmrc 2",
    ".env 2",
    "token 2.json",
    "credentials (copy).json",
    "Copy of .npmrc",
    "Copy of token.json",
    "token (Ada's conflicted copy 2026-11-28).json",
    "token.sync-conflict-20261128-203000-ABCDEFG.json",
  ].map((name, at) => `${at}/sub/${name}`);
  for (const path of [...secrets, "plain"]) {
    assert.ok(path === "plain" || isSecretPath(join(folder, path), "/home/ada"), path);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path === "plain" ? "NEEDLE plain\n" : "NEEDLE secret\n");
  }
  git("init", "-q");
  git("add", "-A", "-f");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "all");
  const shown = git("ls-files", "--", ...secretExclusions).toString();
  assert.equal(shown, "plain\n");
  const shell = shellIn(folder);
  for (const cmd of ["git log -p", "git show", "git grep NEEDLE HEAD", "git log -p -- . '*.p?m'"])
    assert.doesNotMatch(outputOf(await shell.run(cmd)), /NEEDLE secret/, cmd);
  for (const cmd of ["git --literal-pathspecs log -p -- .", "git --literal-pathspecs show HEAD -- ."])
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false, cmd);
});
