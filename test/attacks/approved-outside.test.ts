import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { homeWorld } from "./home-world.ts";

test("a folder outside goes with the secret files in it after the yes, and all comes back by an undo", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  mkdirSync(at("envd/deep"), { recursive: true });
  for (const name of ["envd/.env", "envd/deep/one"]) writeFileSync(at(name), `${name}\n`);
  for (const cmd of ["rm -rf ~/envd", "rm -rf ~/envd ~/docs && rm own", "rm -rf ../envd"]) {
    const asked = await propose(cmd);
    assert.equal(asked.end, "approval-required", cmd);
    assert.match(asked.text, /secret files go with it: \.\.\/envd\/\.env/);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, outcome);
    assert.ok(!existsSync(at("envd")), cmd);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.equal(readFileSync(at("envd/.env"), "utf8"), "envd/.env\n", cmd);
    assert.ok(existsSync(at("envd/deep/one")) && existsSync(at("work/own")), cmd);
  }
});

test("a folder outside with a closed folder in it goes whole after the yes, or is not asked about", async (t) => {
  const { at, propose, approve, agent, talk, provider } = await homeWorld(t);
  mkdirSync(at("shut/closed"), { recursive: true });
  writeFileSync(at("shut/closed/one"), "one\n");
  chmodSync(at("shut/closed"), 0);
  const asked = await propose("rm -rf ~/shut");
  if (process.getuid?.() !== 0) {
    assert.equal(asked.end, "answered", "rm itself could delete a part of it only");
    assert.match(
      provider.requests.at(-1)?.body ?? "",
      /shut\/closed is closed to .*The owner opens it first.*chmod u\+rwx/,
    );
    return;
  }
  assert.match(await approve(), /exitCode":0/);
  assert.ok(!existsSync(at("shut")));
  await agent.runCommand({ kind: "undo" }, talk.session);
  assert.equal(readFileSync(at("shut/closed/one"), "utf8"), "one\n");
});

test("a folder with a repository and build files is moved and copied outside: the question names what is executed later", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  execFileSync("git", ["init", "-q", at("proj")]);
  for (const name of ["Makefile", ".envrc", "plain"]) writeFileSync(at("proj", name), `${name}\n`);
  for (const [cmd, target] of [
    ["mv ~/proj ~/proj2", "proj2"],
    ["cp -r ~/proj ~/proj3", "proj3"],
    ["cp -a ~/proj ~/docs", "docs/proj"],
    ["cp -rT ~/proj ~/other", "other"],
    ["mkdir ~/new && mv ~/proj ~/new/", "new/proj"],
  ] as const) {
    const asked = await propose(cmd);
    assert.equal(asked.end, "approval-required", cmd);
    assert.match(asked.text, /executed later: it holds \.envrc: direnv .*; also \.git, Makefile/, cmd);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, `${cmd}: ${outcome}`);
    for (const name of [".git/config", "Makefile", ".envrc", "plain"])
      assert.ok(existsSync(at(target, name)), `${cmd}: ${name}`);
    assert.equal(existsSync(at("proj")), !cmd.includes("mv ~/proj "), cmd);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.ok(!existsSync(at(target, "plain")) && existsSync(at("proj/.git/config")), cmd);
  }
  await propose("cp -r ~/proj ~/proj5");
  writeFileSync(at("proj/GNUmakefile"), "all:\n");
  assert.equal(await approve(), "[]");
  assert.match(talk.events.at(-1)?.type ?? "", /^approval-required$/, "it asks anew, about the other file");
  writeFileSync(at("proj/.env"), "KEY=1\n");
  for (const cmd of ["cp -r ~/proj ~/proj6", "mv ~/proj ~/proj6"])
    assert.equal((await propose(cmd)).end, "answered", cmd);
});

test("an edit of a file outside leaves a file of the same kind and rights, or nothing is kept and the outcome says why", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  chmodSync(at("plan"), 0o640);
  const edit = async (script: string): Promise<string> => {
    writeFileSync(at("work/more.sh"), `cd ${at()}; ${script}`);
    const asked = await propose(`perl -i -pe 's/plan/task/; END { system("sh", "more.sh") }' ~/plan`);
    assert.equal(asked.end, "approval-required", script);
    return approve();
  };
  for (const [script, why] of [
    ["rm plan; ln -s .ssh/id_rsa plan", "plan would be a link"],
    ["chmod 777 plan", "plan would get the permissions 777, and has 640"],
    ["chmod 4750 plan", "plan would get the permissions 4750, and has 640"],
    ["rm plan; mkfifo plan", "plan would be a pipe"],
  ] as const) {
    const outcome = await edit(script);
    assert.ok(outcome.includes("not-made") && outcome.includes(why), `${script}: ${outcome}`);
    assert.equal(lstatSync(at("plan")).mode, 0o100640, script);
    assert.equal(readFileSync(at("plan"), "utf8"), "plan\n", script);
  }
  assert.match(await edit("true"), /exitCode":0/);
  assert.equal(readFileSync(at("plan"), "utf8"), "task\n");
  await agent.runCommand({ kind: "undo" }, talk.session);
  for (const cmd of ["chmod 777 ~/plan", "rm ~/plan && ln -s docs ~/plan", "rm ~/plan && touch ~/plan"]) {
    await propose(cmd);
    assert.match(await approve(), /exitCode":0/, cmd);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.equal(lstatSync(at("plan")).mode, 0o100640, cmd);
  }
  rmSync(at("work/more.sh"));
});

test("a copy or an unpacking opens no folder outside to others, and what its words open is opened", async (t) => {
  const { at, propose, approve } = await homeWorld(t);
  chmodSync(at("docs"), 0o750);
  mkdirSync(at("work/tree"));
  writeFileSync(at("work/tree/x"), "x\n");
  chmodSync(at("work/tree"), 0o777);
  execFileSync("tar", ["cf", at("work/open.tar"), "-C", at("work/tree"), "."]);
  for (const cmd of ["tar xpf open.tar -C ~/docs", "cp -a tree/. ~/docs"]) {
    assert.equal((await propose(cmd)).end, "approval-required", cmd);
    const outcome = await approve();
    assert.ok(outcome.includes("docs would get the permissions 777, and has 750"), `${cmd}: ${outcome}`);
    assert.equal(lstatSync(at("docs")).mode & 0o777, 0o750, cmd);
    assert.ok(!existsSync(at("docs/x")), cmd);
  }
  for (const cmd of ["cp -r tree/. ~/docs", "cp -a tree/. ~/docs && chmod 755 ~/docs"]) {
    assert.equal((await propose(cmd)).end, "approval-required", cmd);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, `${cmd}: ${outcome}`);
    assert.ok(existsSync(at("docs/x")), cmd);
  }
  assert.equal(lstatSync(at("docs")).mode & 0o777, 0o755);
});
