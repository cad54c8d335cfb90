import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { calls, talkTo } from "../agent-world.ts";
import { homeWorld } from "./home-world.ts";

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);

test("a line that deletes outside beside a program that would not see it is refused before a question", async (t) => {
  const { at, propose } = await homeWorld(t);
  for (const cmd of [
    "tar czf /tmp/b.tgz ~/docs && rm -rf ~/docs",
    "sha256sum -c ~/docs/SUMS || rm ~/docs/one",
    "test -e ~/docs/two || rm ~/docs/one",
    "python3 -c 'print(1)' && mv ~/docs/one own",
    "cp own ~/docs/x1 && rm ~/docs/x1",
    "sed -n '/x/q1' ~/docs/two || rm ~/docs/one",
    "ls ~/docs && rm ~/docs/one",
  ]) {
    const { end } = await propose(cmd);
    assert.equal(end, "answered", cmd);
  }
  assert.equal((await propose("rm ~/docs/one && echo done")).end, "approval-required");
  assert.ok(existsSync(at("docs/one")));
});

test("what a command changed in the home folder, beside the state of the agent, is taken back by an undo", async (t) => {
  const { at, propose, approve, agent, talk, state } = await homeWorld(t);
  const asked = await propose(
    `rm -rf ~/docs && mv own ~/moved && sed -i s/plan/task/ ../plan && ln -s moved ~/link`,
  );
  assert.equal(asked.end, "approval-required", asked.text);
  for (const path of [at("docs"), at("moved"), at("plan"), at("link")])
    assert.ok(asked.text.includes(path), path);
  assert.match(JSON.stringify(talk.events.at(-1)), /"shown":\["[^"]*\/docs\/deep\/two"/);
  assert.doesNotMatch(asked.text, /cannot be undone/i);
  const outcome = await approve();
  assert.match(outcome, /exitCode":0/, outcome);
  assert.deepEqual(
    [
      existsSync(at("docs")),
      read(at("moved")),
      read(at("work/own")),
      read(at("plan")),
      readlinkSync(at("link")),
    ],
    [false, "work/own\n", null, "task\n", "moved"],
  );
  await agent.runCommand({ kind: "undo" }, talk.session);
  assert.deepEqual(
    [
      read(at("docs/deep/two")),
      read(at("moved")),
      read(at("work/own")),
      read(at("plan")),
      existsSync(at("link")),
    ],
    ["docs/deep/two\n", null, "work/own\n", "plan\n", false],
  );
  assert.deepEqual(read(at(".ssh/id_rsa")), ".ssh/id_rsa\n");
  const left = readdirSync(join(state, "commands")).filter((name) => name.startsWith("overlay-"));
  assert.deepEqual(left, []);
});

test("an undo or a redo of what a command moved takes nothing of it back where a part of it cannot be, and loses nothing", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  const say = async (kind: "undo" | "redo"): Promise<string> =>
    JSON.stringify(await agent.runCommand({ kind }, talk.session));
  for (const { cmd, moved, inWay, back } of [
    {
      cmd: "mv ~/docs/one ~/other/",
      moved: [["docs/one", "other/one"]],
      inWay: "docs/one",
      back: "other/one",
    },
    { cmd: "mv own ~/docs/", moved: [["work/own", "docs/own"]], inWay: "work/own", back: "docs/own" },
    {
      cmd: "mv ~/docs/deep/two .",
      moved: [["docs/deep/two", "work/two"]],
      inWay: "docs/deep",
      back: "work/two",
    },
    {
      cmd: "mv ~/docs/one ~/other/one2; mv ~/other/three ~/docs/three; mv own ~/docs/own",
      moved: [
        ["docs/one", "other/one2"],
        ["other/three", "docs/three"],
        ["work/own", "docs/own"],
      ],
      inWay: "other/three",
      back: "other/one2",
    },
    {
      cmd: "mv own ~/docs/; mv ~/docs/deep/two .",
      moved: [
        ["work/own", "docs/own"],
        ["docs/deep/two", "work/two"],
      ],
      inWay: "docs/deep",
      back: "docs/own",
    },
  ] as const) {
    const are = (isMoved: boolean): void => {
      for (const [from, to] of moved) {
        assert.equal(read(at(isMoved ? to : from)), `${from}\n`, `${cmd}: ${from}`);
        const left = at(isMoved ? from : to);
        assert.ok([at(inWay), at(back)].includes(left) || !existsSync(left), `${cmd}: ${left}`);
      }
    };
    /** Changes a path and takes that back: null where nothing, or nothing but an empty folder, is there. */
    const disturb = (path: string): (() => void) => {
      if (path === at("docs/deep")) {
        rmSync(path, { recursive: true });
        return () => mkdirSync(path);
      }
      writeFileSync(path, "somebody else's\n");
      return () => rmSync(path);
    };
    await propose(cmd);
    assert.match(await approve(), /exitCode":0/, cmd);
    are(true);
    const calm = disturb(at(inWay));
    assert.match(await say("undo"), /nothing of it was taken back/, cmd);
    are(true);
    calm();
    assert.doesNotMatch(await say("undo"), /nothing of it/, cmd);
    are(false);
    const calmAgain = disturb(at(back));
    assert.match(await say("redo"), /nothing of it was taken back/, cmd);
    are(false);
    calmAgain();
    await say("redo");
    are(true);
    await say("undo");
    are(false);
  }
});

test("a link that is put into the way after the yes leads a command nowhere", async (t) => {
  const { at, propose, approve, talk } = await homeWorld(t);
  await propose("rm ~/docs/one");
  renameSync(at("docs"), at("moved"));
  symlinkSync(at("other"), at("docs"));
  writeFileSync(at("other/one"), "not asked about\n");
  assert.equal(await approve(), "[]");
  assert.match(talk.events.at(-1)?.type ?? "", /^approval-required$/, "it asks anew, about the other file");
  assert.deepEqual([read(at("other/one")), read(at("moved/one"))], ["not asked about\n", "docs/one\n"]);
  rmSync(at("docs"));
  renameSync(at("moved"), at("docs"));
  await talk.say(`/deny ${talk.token()}`);
  assert.equal((await propose("cp own ~/docs/new")).end, "approval-required");
  renameSync(at("docs"), at("moved"));
  symlinkSync(at("other"), at("docs"));
  assert.equal(await approve(), "[]");
  assert.match(talk.events.at(-1)?.type ?? "", /^approval-required$/);
  assert.ok(!existsSync(at("other/new")), "nobody said yes to that folder");
  rmSync(at("docs"));
  renameSync(at("moved"), at("docs"));
  await talk.say(`/deny ${talk.token()}`);
  assert.equal((await propose("cp own ~/plan")).end, "approval-required");
  rmSync(at("plan"));
  symlinkSync(at(".ssh/id_rsa"), at("plan"));
  await approve();
  assert.equal(read(at(".ssh/id_rsa")), ".ssh/id_rsa\n");
});

test("a path through links and dots is asked by where it leads, and done there", async (t) => {
  const { at, propose, approve } = await homeWorld(t);
  symlinkSync("docs", at("papers"));
  symlinkSync("../docs/deep/two", at("other/two"));
  for (const [cmd, path, content] of [
    ["cp own ~/papers/../docs/new", "docs/new", "work/own\n"],
    ["cp own ~/papers/newer", "docs/newer", "work/own\n"],
    ["cp own ~/other/two", "docs/deep/two", "work/own\n"],
    ["rm ~/other/two", "other/two", null],
    ["rm ~/papers/one", "docs/one", null],
  ] as const) {
    const asked = await propose(cmd);
    assert.ok(asked.text.includes(at(path)), `${cmd}: ${asked.text}`);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, `${cmd}: ${outcome}`);
    assert.equal(read(at(path)), content, cmd);
  }
  assert.equal(read(at("docs/deep/two")), "work/own\n");
  assert.equal(readlinkSync(at("papers")), "docs");
});

test("secrets, folders of the agent and the home itself stay as they are, and are not asked about", async (t) => {
  const { at, propose, state, home } = await homeWorld(t);
  for (const cmd of [
    "rm ~/.ssh/id_rsa",
    "cp own ~/.ssh/config",
    "mv ~/.ssh ~/ssh",
    `rm -rf ${state}`,
    `touch ${state}/x`,
    "rm -rf ~/.local",
    "mv ~/.local ~/local",
    "rm -rf ~",
    "cp own ~/.config/passepartout/rules.json",
  ]) {
    const said = await propose(cmd);
    assert.notEqual(said.end, "approval-required", `${cmd}: ${said.text}`);
  }
  assert.equal(read(at(".ssh/id_rsa")), ".ssh/id_rsa\n");
  assert.ok(existsSync(state) && existsSync(home));
});

test("a private note that a command copies, packs or moves out of the notes is private where it goes, in a later session too", async (t) => {
  const world = await homeWorld(t);
  const { at, propose, approve, provider, agent } = world;
  mkdirSync(at("memex/health"), { recursive: true });
  const note = "* Health :@personal:\nOn Tuesday the doctor found a lump, and nobody may know.\n";
  const encoded = Buffer.from(note).toString("base64").slice(20, 50);
  for (const name of ["memex/a.org", "memex/health/b.org"]) writeFileSync(at(name), note);
  for (const cmd of [
    "cp ~/memex/a.org ~/other/copy.org",
    "cp -r ~/memex/health ~/other/health",
    `sh -c 'base64 -w 0 ~/memex/a.org > ~/other/encoded; touch ~/other/plain'`,
    "mv ~/memex/a.org ~/other/moved.org",
  ]) {
    const asked = await propose(cmd);
    assert.equal(asked.end, "approval-required", cmd);
    assert.match(await approve(), /exitCode":0/, cmd);
  }
  assert.ok(!existsSync(at("memex/a.org")));
  const talk = await talkTo(agent);
  for (const path of ["copy.org", "health/b.org", "encoded", "moved.org"].map((name) => at("other", name))) {
    assert.ok(existsSync(path), path);
    provider.add(calls(["read-file", { path }]), { text: "done" });
    const { end } = await talk.say("read it");
    if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    const body = provider.requests.at(-1)?.body ?? "";
    assert.match(body, /withheld: private/, path);
    assert.ok(!body.includes("doctor found") && !body.includes(encoded), path);
  }
});

test("a command takes turns with whoever else writes notes, and changes none that an editor has open with changes", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  mkdirSync(at("memex"), { recursive: true });
  writeFileSync(at("memex/a.org"), "* One\n");
  const [lock, unsaved] = [at("memex/.passepartout-lock"), at("memex/.#a.org")];
  for (const cmd of ["sed -i s/One/Two/ ~/memex/a.org", "rm -rf ~/memex"]) {
    symlinkSync("ada@elsewhere.4711:1", unsaved);
    let said = "";
    // While the index still learns the note, its label may change between the question and the yes.
    for (let tries = 0; tries < 5 && !/unsaved changes/.test(said); tries += 1) {
      assert.equal((await propose(cmd)).end, "approval-required");
      said = await approve();
      assert.match(said, /a\.org has unsaved changes in an editor|"code":"changed"/);
    }
    assert.match(said, /a\.org has unsaved changes in an editor/);
    rmSync(unsaved);
  }
  symlinkSync("somebody elsewhere 4711 1@2/3", lock);
  await propose("sed -i s/One/Two/ ~/memex/a.org");
  const approved = approve();
  await setTimeout(1_000);
  assert.equal(read(at("memex/a.org")), "* One\n");
  rmSync(lock);
  assert.match(await approved, /exitCode":0/);
  assert.equal(read(at("memex/a.org")), "* Two\n");
  assert.ok(!existsSync(lock));
  await agent.runCommand({ kind: "undo" }, talk.session);
  assert.equal(read(at("memex/a.org")), "* One\n");
});
