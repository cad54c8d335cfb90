import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { homeWorld } from "./home-world.ts";

type World = Awaited<ReturnType<typeof homeWorld>>;

/** Packs files as `FILE.tar` in the workspace. */
function pack({ at }: World, name: string, files: Readonly<Record<string, string>>): void {
  const folder = at("work", name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(`${folder}/${file}`), { recursive: true });
    writeFileSync(`${folder}/${file}`, text);
  }
  execFileSync("tar", ["cf", at("work", `${name}.tar`), "-C", folder, "."]);
  rmSync(folder, { recursive: true });
}

/** What came of a line that the owner said yes to. */
async function approved({ propose, approve }: World, cmd: string): Promise<string> {
  assert.equal((await propose(cmd)).end, "approval-required", cmd);
  return approve();
}

const longText = (name: string): string => `${`a line of ${name} that somebody wrote\n`.repeat(50)}`;

test("what fills a folder outside puts no secret path and nothing that is executed later there", async (t) => {
  const world = await homeWorld(t);
  const { at } = world;
  for (const [name, file, text, why] of [
    ["env", ".env", "KEY=1\n", "docs/.env is a secret path"],
    ["ssh", ".ssh/authorized_keys", "ssh-ed25519 AAAA\n", "docs/.ssh/authorized_keys"],
    ["rsa", "deep/id_rsa", "words\n", "docs/deep/id_rsa is a secret path"],
    ["make", "Makefile", "all:\n", "docs/Makefile"],
    ["org", "note.org", '#+BEGIN: x\n%%(shell-command "id")\n', "docs/note.org"],
  ] as const) {
    pack(world, name, { "plain.txt": "plain\n", [file]: text });
    const made = `mkdir ~/docs/new && tar xf ${name}.tar -C ~/docs/new`;
    for (const cmd of [`tar xf ${name}.tar -C ~/docs`, ...(name === "env" ? [made] : [])]) {
      const outcome = await approved(world, cmd);
      const expected = cmd.startsWith("mkdir") ? why.replace("docs/", "docs/new/") : why;
      assert.ok(outcome.includes("not-made") && outcome.includes(expected), `${cmd}: ${outcome}`);
      assert.deepEqual(readdirSync(at("docs")).sort(), ["deep", "one"], cmd);
      assert.deepEqual(readdirSync(at("docs/deep")), ["two"], cmd);
    }
  }
  mkdirSync(at("work/links"));
  symlinkSync("/etc", at("work/links/etc"));
  execFileSync("tar", ["cf", at("work/links.tar"), "-C", at("work/links"), "."]);
  assert.match(await approved(world, "tar xf links.tar -C ~/docs"), /not-made.*docs\/etc: it is a link out/);
  assert.ok(!existsSync(at("docs/etc")));
  pack(world, "plain", { "plain.txt": "plain\n", "deep/more": "more\n" });
  assert.match(await approved(world, "tar xf plain.tar -C ~/docs"), /exitCode":0/);
  assert.ok(existsSync(at("docs/plain.txt")) && existsSync(at("docs/deep/more")));
});

test("what fills a folder outside overwrites nothing that no question named, beyond what it may inside", async (t) => {
  const world = await homeWorld(t);
  const { at, agent, talk, propose } = world;
  const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
  for (const name of names) writeFileSync(at("docs", name), longText(name));
  pack(world, "letters", Object.fromEntries(names.map((name) => [name, "z"])));
  pack(world, "one", { f0: `${longText("f0")}another line\n`, new: "new\n" });
  const isWhole = (): boolean =>
    names.every((name) => readFileSync(at("docs", name), "utf8") === longText(name));
  for (const cmd of [
    "tar xf letters.tar -C ~/docs",
    "tar -x --file=letters.tar --directory=../docs",
    "tar xf letters.tar -C ~/docs && cp own ~/docs/own",
  ]) {
    const outcome = await approved(world, cmd);
    assert.match(outcome, /not-made.*30 files.*\/docs\/f0.*and 25 more.*cp -r/, cmd);
    assert.ok(isWhole() && !existsSync(at("docs/own")), cmd);
  }
  assert.match(await approved(world, "tar xf one.tar -C ~/docs"), /exitCode":0/);
  await agent.runCommand({ kind: "undo" }, talk.session);
  assert.ok(isWhole() && !existsSync(at("docs/new")));
  mkdirSync(at("work/s"));
  for (const name of names) writeFileSync(at("work/s", name), "z");
  const asked = await propose("cp -r s/. ~/docs");
  assert.match(JSON.stringify(talk.events.at(-1)), /"count":30/, asked.text);
  assert.match(await world.approve(), /exitCode":0/);
  assert.equal(readFileSync(at("docs/f9"), "utf8"), "z");
});

test("an undo takes back what a command made, whatever its name is, and not what somebody changed since", async (t) => {
  const world = await homeWorld(t);
  const { at, agent, talk, propose } = world;
  const undo = async (): Promise<string> =>
    JSON.stringify(await agent.runCommand({ kind: "undo" }, talk.session));
  writeFileSync(
    at("work/make.sh"),
    'echo one > made; echo KEY=1 > "$(printf .en)v"; mkdir -p .ssh; echo k > .ssh/id_rsa\n',
  );
  chmodSync(at("work/make.sh"), 0o755);
  const asked = await propose("./make.sh");
  if (asked.end === "approval-required") await world.approve();
  assert.ok(existsSync(at("work/.env")) && existsSync(at("work/.ssh/id_rsa")));
  assert.match(await undo(), /Undone/);
  assert.ok(!existsSync(at("work/.env")) && !existsSync(at("work/.ssh")) && !existsSync(at("work/made")));
  if ((await propose("./make.sh")).end === "approval-required") await world.approve();
  writeFileSync(at("work/.env"), "OWN=1\n");
  assert.match(await undo(), /work\/\.env was changed by somebody else since/);
  assert.ok(existsSync(at("work/.env")) && !existsSync(at("work/made")));
  const shown = JSON.stringify(await agent.runCommand({ kind: "diff" }, talk.session));
  assert.match(shown, /\/undo has nothing to take back.*could not take back stands/);
});
