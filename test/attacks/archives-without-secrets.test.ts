import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { named } from "../agent-world.ts";
import { homeWorld } from "./home-world.ts";

test("an archive or a copy that lacks the secret files says so, and has nothing in their place", async (t) => {
  for (const TRIALS of ["true", "false"]) await lookAtCopies(await homeWorld(t, { TRIALS }));
});

const python = "/usr/bin/python3";

async function lookAtCopies({ at, propose, approve, talk }: Awaited<ReturnType<typeof homeWorld>>) {
  for (const folder of ["work/conf", "work/docs"]) mkdirSync(at(folder));
  for (const [name, text] of [
    [".env", "P=1\n"],
    ["conf/.env.local", "K=1\n"],
    ["conf/app.txt", "words\n"],
    ["docs/one.txt", "one\n"],
    ["pack.py", 'import tarfile\nt = tarfile.open("py.tar", "w")\nt.add(".")\nt.close()\n'],
  ] as const)
    writeFileSync(at("work", name), text);
  const said = async (cmd: string): Promise<string> => {
    const { end, text } = await propose(cmd);
    return end === "approval-required"
      ? approve()
      : text + JSON.stringify(named(talk.events, "outcome").at(-1));
  };
  for (const [cmd, file] of [
    ["tar czf backup.tgz .", "backup.tgz"],
    ["tar cf conf.tar conf", "conf.tar"],
    [`${python} pack.py`, "py.tar"],
  ] as const) {
    if (cmd.startsWith(python) && !existsSync(python)) continue;
    const outcome = await said(cmd);
    assert.match(outcome, /something empty in the place of .*\.env/, `${cmd}: ${outcome}`);
    assert.ok(!existsSync(at("work", file)), cmd);
  }
  for (const cmd of [
    "tar czf backup.tgz --exclude=.env --exclude=.env.local .",
    "tar cJf conf.tar.xz conf --exclude=.env.local",
    `${python} -m zipfile -c py.zip own pack.py conf/app.txt`,
    "mkdir conf2 && cp conf/app.txt conf2",
    `${python} -c 'import shutil; shutil.copytree("conf", "copy", ignore=shutil.ignore_patterns(".env*"))'`,
  ]) {
    if (cmd.startsWith(python) && !existsSync(python)) continue;
    const outcome = await said(cmd);
    assert.match(outcome, /lacks .*\.env/, `${cmd}: ${outcome}`);
  }
  assert.ok(existsSync(at("work/backup.tgz")));
  assert.match(execFileSync("tar", ["tzf", at("work/backup.tgz")], { encoding: "utf8" }), /conf\/app\.txt/);
  for (const cmd of ["tar czf docs.tgz docs", "gzip -k own", "cp -r docs docs2"]) {
    const outcome = await said(cmd);
    assert.doesNotMatch(outcome, /lacks|in the place of/, `${cmd}: ${outcome}`);
  }
}
