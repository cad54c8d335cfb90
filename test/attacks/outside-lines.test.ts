import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { homeWorld } from "./home-world.ts";

test("common ways to change something outside work after the yes, and come back by an undo", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  mkdirSync(at("work/tree"));
  writeFileSync(at("work/tree/x"), "x\n");
  execFileSync("tar", ["cf", at("work/t.tar"), "-C", at("work"), "tree"]);
  execFileSync("git", ["init", "-q", at("proj")]);
  for (const setting of ["user.name=Ada", "user.email=ada@example.org"])
    execFileSync("git", ["-C", at("proj"), "config", ...setting.split("=")]);
  writeFileSync(at("proj/a"), "a\n");
  const head = (): boolean => existsSync(at("proj/.git/refs/heads")) && existsSync(at("proj/.git/index"));
  const mode = (name: string): number => statSync(at(name)).mode & 0o777;
  const inode = (name: string): number => lstatSync(at(name), { throwIfNoEntry: false })?.ino ?? 0;
  for (const { cmd, isDone } of [
    { cmd: "cd ~/docs && rm one", isDone: () => !existsSync(at("docs/one")) },
    { cmd: "cd ~/docs && mv one uno && rm -r deep", isDone: () => existsSync(at("docs/uno")) },
    { cmd: `cd "$HOME/docs" && cp -r deep ../other`, isDone: () => existsSync(at("other/deep/two")) },
    { cmd: "cp own ~/docs/../other/", isDone: () => existsSync(at("other/own")) },
    { cmd: "rm $HOME/docs/one", isDone: () => !existsSync(at("docs/one")) },
    {
      cmd: "chmod 600 ~/docs/one ~/plan",
      isDone: () => mode("docs/one") === 0o600 && mode("plan") === 0o600,
    },
    {
      cmd: "chmod -R go-rwx ~/docs",
      isDone: () => mode("docs/deep") === 0o700 && mode("docs/one") === 0o600,
    },
    { cmd: "chmod 777 ~/docs/one && rm ~/docs/one", isDone: () => !existsSync(at("docs/one")) },
    { cmd: "chmod 700 ~/docs", isDone: () => mode("docs") === 0o700 },
    { cmd: "tar xf t.tar -C ~/docs", isDone: () => existsSync(at("docs/tree/x")) },
    { cmd: "tar czf ~/b.tgz ~/docs", isDone: () => existsSync(at("b.tgz")) },
    { cmd: "sort -o ~/docs/sorted ~/docs/one own", isDone: () => existsSync(at("docs/sorted")) },
    { cmd: "ln ~/docs/one ~/docs/hard", isDone: () => inode("docs/hard") === inode("docs/one") },
    { cmd: "sed -i.bak s/docs/x/ ~/docs/one", isDone: () => existsSync(at("docs/one.bak")) },
    { cmd: "cd ../proj && git add . && git commit -qm one", isDone: head },
  ]) {
    assert.ok(!isDone(), cmd);
    const asked = await propose(cmd);
    assert.equal(asked.end, "approval-required", `${cmd}: ${asked.text}`);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, `${cmd}: ${outcome}`);
    assert.ok(isDone(), cmd);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.ok(!isDone(), `${cmd} is taken back`);
    assert.equal(readFileSync(at("docs/one"), "utf8"), "docs/one\n", cmd);
  }
});

test("a link that takes the place of another one outside is asked about by its own name", async (t) => {
  const { at, propose, approve, agent, talk, provider } = await homeWorld(t);
  symlinkSync("deep", at("docs/lnk"));
  for (const to of ["/etc", "../other"]) {
    const asked = await propose(`ln -sfn ${to} ~/docs/lnk`);
    assert.equal(asked.end, "approval-required", provider.requests.at(-1)?.body.slice(-900));
    assert.ok(asked.text.includes(at("docs/lnk")), asked.text);
    assert.match(await approve(), /exitCode":0/);
    assert.equal(readlinkSync(at("docs/lnk")), to);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.equal(readlinkSync(at("docs/lnk")), "deep");
  }
});

test("what no copy outside can hold is refused before a question, with what to propose instead", async (t) => {
  const { at, propose, provider } = await homeWorld(t);
  execFileSync("git", ["init", "-q", at("proj")]);
  mkdirSync(at("many"));
  for (let number = 0; number <= 20_000; number += 1) writeFileSync(at("many", `${number}`), "");
  mkdirSync(at("envd"));
  writeFileSync(at("envd/.env"), "KEY=1\n");
  for (const [cmd, way] of [
    ["tar czf ~/b.tgz ~/docs; rm -rf ~/docs", "Propose the deletion as a line of its own"],
    ["tar czf ~/b.tgz ~/envd", "Propose what else is in it by its names"],
    ["rm ~/many/1", "more than 20,000 names"],
    ["mv ~/work ~/w2", "the workspace itself"],
    ["ln own ~/docs/hard", "Propose ln -s or cp"],
    ["cp -b own ~/docs/one", "each name in full"],
    ["cp --parents tree/one ~/docs", "each name in full"],
    ["sed -i'old/*' s/a/b/ ~/docs/one", "each name in full"],
    ["chmod 000 ~/docs/one", "closed to its owner"],
    ["chmod -R a-r ~/docs", "closed to its owner"],
    ["chmod u= ~/docs/one", "closed to its owner"],
    ["chmod -R u=x,g=,o= ~/docs", "closed to its owner"],
    ["chmod 1300 ~/docs", "closed to its owner"],
    ["chmod u+w-r ~/docs/one", "closed to its owner"],
    ["gzip ~/docs/one", "-c FILE > OUTPUT"],
    ["rsync -a tree/ ~/docs/", "propose cp -a"],
    ["git worktree add -b other ../wt HEAD", "in a folder of the workspace"],
    ["git clone -q . ../c", "in a folder of the workspace"],
    ["git init -q ~/n", "in a folder of the workspace"],
    ["git -C tree clone one ../../c", "in a folder of the workspace"],
    ["git archive -o ../other/x.tar HEAD", "propose cp FILE PLACE"],
    ["git archive --output=../other/x.tar HEAD", "propose cp FILE PLACE"],
    ["git bundle create ~/other/b --all", "propose cp FILE PLACE"],
    ["git format-patch -o ../other HEAD~1", "propose cp FILE PLACE"],
    ["split -b 1 own ~/docs/part", "move the parts there"],
    ["split own ~/docs/part", "move the parts there"],
    ["sed -n 's/o/x/w ../docs/f3' own", "> FILE"],
    ["sed -n '1w ../docs/f3' own", "> FILE"],
    ["find ~/docs -name one -exec cp {} ~/other/ ;", "Look for the files first"],
    ["find ~/docs -name one | xargs rm", "Look for the files first"],
    ["echo docs/one | xargs -I{} rm ~/{}", "Look for the files first"],
    ["git -C ../proj checkout -b new", "The owner starts a session in that folder"],
    ["cd ../proj && make", "each path in full"],
    ["cd ~/docs && rm -rf ''", "each path in full"],
    ["for f in ~/docs/*; do rm $f; done", "each path in full"],
    ["for f in a b; do cp $f ~/other/; done", "each path in full"],
    ["cp own ~/y & echo done", "each path in full"],
    ["rm ~root/x", "each path in full"],
    ["cat > ~/f <<EOF\nx\nEOF", "each path in full"],
    ["mkdir ~/new; mv ~/docs/* ~/new/", "each path in full"],
    ["sh -c 'cd ~/docs; [ -e one ] && rm one'", "each path in full"],
  ] as const) {
    const { end, text } = await propose(cmd.replace(" ;", " \\;"));
    assert.equal(end, "answered", `${cmd}: ${text}`);
    const told = provider.requests.at(-1)?.body ?? "";
    assert.ok(told.includes("A command cannot change") && told.includes(way), `${cmd}: ${told.slice(-900)}`);
  }
  assert.ok(existsSync(at("docs/one")) && existsSync(at("docs/deep/two")));
});

test("the question names what a copy would replace and nothing that cannot be, and the outcome lists what changed outside", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  mkdirSync(at("work/docs/deep"), { recursive: true });
  for (const name of ["one", "new", "deep/two"]) writeFileSync(at("work/docs", name), "other\n");
  for (const { cmd, named, unnamed, listed } of [
    {
      cmd: "cp -a docs/. ~/docs",
      named: ["docs/one", "docs/deep/two"],
      unnamed: ["docs/new", "docs/docs"],
      listed: ["docs/one", "docs/new", "docs/deep/two"],
    },
    { cmd: "cp own ~/docs/one", named: ["docs/one"], unnamed: ["docs/one/own"], listed: ["docs/one"] },
    {
      cmd: "mv ~/docs/one ~/other/",
      named: ["docs/one", "other/one"],
      unnamed: ["other/one/one"],
      listed: ["docs/one", "other/one"],
    },
    { cmd: "ln -s one ~/docs/link", named: ["docs/link"], unnamed: ["link/one"], listed: ["docs/link"] },
    { cmd: "rm -rf ~/docs", named: ["docs"], unnamed: [], listed: ["docs/one", "docs/deep/two"] },
  ]) {
    const asked = await propose(cmd);
    for (const name of named) assert.ok(asked.text.includes(at(name)), `${cmd}: ${name} in ${asked.text}`);
    for (const name of unnamed) assert.ok(!asked.text.includes(at(name)), `${cmd}: ${name} in ${asked.text}`);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, outcome);
    for (const name of listed)
      assert.ok(outcome.includes(`"path":"${at(name)}"`), `${cmd}: ${name}: ${outcome}`);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.equal(readFileSync(at("docs/one"), "utf8"), "docs/one\n", cmd);
  }
});
