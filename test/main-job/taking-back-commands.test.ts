import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { certificate } from "../../src/text/certificates.fixture.ts";
import { calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const shell = (cmd: string) => calls(["shell", { cmd }]);

/** A world with a folder of files in its workspace; null without bubblewrap. */
async function worldWithTree(t: TestContext, steps: Parameters<typeof makeWorld>[1], files = 20) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const world = await makeWorld(t, steps);
  mkdirSync(world.path("tree"));
  for (let file = 0; file < files; file += 1)
    writeFileSync(world.path(join("tree", `${file}.txt`)), `${file}`);
  const listing = (): string =>
    execFileSync("find", [".", "-printf", "%p %y %m %s %T@\\n"], { cwd: world.path("."), encoding: "utf8" })
      .split("\n")
      .filter((line) => !line.startsWith(". "))
      .sort()
      .join("\n");
  return { world, listing };
}

/** More than the 2,000 that a tree may have whose files are named; `npm run long` takes 3,000. */
const manyFiles = process.env["LONG"] === "all" ? 3_000 : 2_100;

test("the question about a command says that it can be undone, and /undo brings a deleted folder of thousands of files back whole", async (t) => {
  const made = await worldWithTree(t, [shell("rm -rf tree"), { text: "Gone." }], manyFiles);
  if (made === null) return;
  const { world, listing } = made;
  const before = listing();
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("remove the tree");
  const effects = named(asked.events, "approval-required")[0]?.effects ?? [];
  assert.ok(effects.length > 0 && effects.every(({ reversal }) => reversal === "undoable"));
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(existsSync(world.path("tree")), false);
  const began = performance.now();
  const said = await talk.say("/undo");
  t.diagnostic(`undone in ${Math.round(performance.now() - began)} ms`);
  assert.match(said.text, /^Undone\.\n.*tree/);
  assert.equal(listing(), before);
});

test("/undo takes back files and commands of one turn in their order, with what each saw of the other", async (t) => {
  const write = (content: string) => calls(["write-file", { path: "tree/0.txt", content }]);
  const made = await worldWithTree(t, [
    write("first"),
    shell("sort -o tree/0.txt tree/0.txt && cp tree/0.txt tree/copy.txt && ls > listing"),
    write("second"),
    { text: "Done." },
  ]);
  if (made === null) return;
  const { world, listing } = made;
  const before = readdirSync(world.path("tree"));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("do it");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(world.path("tree/0.txt"), "utf8"), "second");
  assert.equal(readFileSync(world.path("tree/copy.txt"), "utf8"), "first\n");
  assert.equal(readFileSync(world.path("listing"), "utf8"), "listing\ntree\n");
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.equal(readFileSync(world.path("tree/0.txt"), "utf8"), "0");
  assert.deepEqual(readdirSync(world.path("tree")), before);
  assert.doesNotMatch(listing(), /copy|listing/);
  assert.match((await talk.say("/undo")).text, /nothing to undo/);
});

/** A world in which a removal was approved and ran, and what was there before; null without bubblewrap. */
async function worldAfterRemoval(t: TestContext, path: string) {
  const made = await worldWithTree(t, [shell(`rm -r ${path}`), { text: "Gone." }]);
  if (made === null) return null;
  const before = made.listing();
  const daemon = await made.world.open();
  const talk = await talkTo(daemon);
  await talk.say("remove it");
  await talk.say(`/approve ${talk.token()}`);
  return { ...made, before, daemon, talk };
}

test("a rollback over commands can itself be undone", async (t) => {
  const made = await worldAfterRemoval(t, "tree");
  if (made === null) return;
  await using _ = made.daemon;
  const { world, listing, before, talk } = made;
  await talk.say("/rollback");
  assert.equal(listing(), before);
  await talk.say("/undo");
  assert.equal(existsSync(world.path("tree")), false);
  await talk.say("/undo");
  assert.equal(listing(), before);
});

test("where /undo could take nothing of a command back, /redo has nothing to redo, and /undo tries it again", async (t) => {
  const made = await worldAfterRemoval(t, "tree/1.txt");
  if (made === null) return;
  await using _ = made.daemon;
  const { world, listing, before, talk } = made;
  writeFileSync(world.path("tree/1.txt"), "theirs");
  for (let time = 1; time <= 2; time += 1) {
    const [undone, redone] = [await talk.say("/undo"), await talk.say("/redo")];
    assert.match(undone.text, /^Not undone\.\n.*1\.txt was changed by somebody else/);
    assert.match(redone.text, /^There is nothing to redo/);
    assert.equal(readFileSync(world.path("tree/1.txt"), "utf8"), "theirs");
  }
  rmSync(world.path("tree/1.txt"));
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.match((await talk.say("/redo")).text, /^Done again\.\n.*1\.txt/);
  assert.equal(existsSync(world.path("tree/1.txt")), false);
  await talk.say("/undo");
  assert.equal(withoutFolderTimes(listing()), withoutFolderTimes(before));
});

function withoutFolderTimes(listing: string): string {
  return listing.replace(/(?<= d \d+ )\d+ \S+/g, "");
}

test("what output and programs change outside of the workspace without a copy is never said to be undoable, and no rule for it leans on that", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [], { TRIALS: "true" });
  const outside = join(world.workspace, "..", "outside.txt");
  writeFileSync(outside, "precious\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const cmd of [`echo new > ${outside}`, `sh -c "echo new > ${outside}; cat ${outside}"`]) {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const { events } = await talk.say("do it");
    const question = named(events, "approval-required")[0];
    const changes = question?.effects.filter(({ kind }) => kind === "write-path" || kind === "delete-path");
    assert.deepEqual(
      changes?.map(({ reversal }) => reversal),
      ["final"],
      cmd,
    );
    assert.doesNotMatch(`${question?.reason} ${JSON.stringify(question?.offers)}`, /can be undone/);
    await talk.say(`/deny ${talk.token()}`);
  }
});

test("/undo and /redo bring public certificates back and take them away, and never write a key in their place", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const made = ["changed.pem", "deleted.pem", "replaced.pem"];
  const world = await makeWorld(t, [], { TRIALS: "true" });
  const other = `Other\n=====\n${certificate}`;
  for (const name of made) writeFileSync(world.path(name), certificate);
  writeFileSync(world.path("other.crt"), other);
  writeFileSync(
    world.path("x.sh"),
    "pem=$(printf pe)m; cat other.crt > replaced.$pem; cat other.crt > changed.$pem; rm -f deleted.$pem; echo a > a\n",
  );
  const held = () =>
    [...made, "a"].map((name) =>
      existsSync(world.path(name)) ? readFileSync(world.path(name), "utf8") : null,
    );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add(shell("bash x.sh"), { text: "Done." });
  const said = await talk.say("do it");
  if (said.end !== "answered") await talk.say(`/approve ${talk.token()}`);
  assert.deepEqual(held(), [other, null, other, "a\n"]);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual(held(), [certificate, certificate, certificate, null]);
  assert.match((await talk.say("/redo")).text, /^Done again\./);
  assert.deepEqual(held(), [other, null, other, "a\n"]);
  writeFileSync(world.path("changed.pem"), "-----BEGIN PRIVATE KEY-----\ncanary\n");
  await talk.say("/undo");
  assert.match(readFileSync(world.path("changed.pem"), "utf8"), /canary/);
});

test("a pipe that a tried command makes or deletes is made or gone, also in a repository, and keeps nobody waiting", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const steps = [
    shell("git init -q && mkfifo pipe .git/objects/pack/a.idx notes.org && echo 1 > a.txt"),
    shell("rm pipe notes.org && git add a.txt && git commit -qm first"),
    { text: "Done." },
  ];
  const world = await makeWorld(t, steps, { TRIALS: "true" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  let said = await talk.say("make it");
  while (said.end !== "answered") said = await talk.say(`/approve ${talk.token()}`);
  assert.match(sent(world, 1), /exitCode[^0-9]*0/);
  assert.match(sent(world, 2), /exitCode[^0-9]*0/);
  assert.deepEqual(readdirSync(world.workspace), [".git", "a.txt"]);
  assert.match((await talk.say("/undo")).text, /^Undone/);
});

test("a path that may not be changed any more stays, with the reason, and all else that the commands and calls of the turn changed comes back", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const files = ["first.txt", ".env", "beside.txt", ".env.local"];
  const world = await makeWorld(t, [
    shell("rm first.txt"),
    shell("rm .env beside.txt"),
    calls(
      ["write-file", { path: ".env.test", content: "new" }],
      ["write-file", { path: "new.txt", content: "" }],
    ),
    shell("rm .env.local"),
    { text: "Gone." },
  ]);
  for (const file of files) writeFileSync(world.path(file), file);
  const secret = [".env", ".env.local", ".env.test"];
  await using daemon = await world.open();
  for (const file of secret) await world.command(["secret-paths", "allow", world.path(file)]);
  const talk = await talkTo(daemon);
  let said = await talk.say("remove them");
  while (said.end === "approval-required") said = await talk.say(`/approve ${talk.token()}`);
  assert.deepEqual(readdirSync(world.path(".")), [".env.test", "new.txt"]);
  for (const file of secret) await world.command(["secret-paths", "forget", world.path(file)]);
  const { text } = await talk.say("/undo");
  assert.match(text, /^Undone in part\./);
  for (const file of [".env", ".env.local"]) assert.match(text, new RegExp(`${file} is a secret path`));
  // What a call made and nobody changed since goes, whatever its name.
  assert.deepEqual(readdirSync(world.path(".")), ["beside.txt", "first.txt"]);
  for (const file of secret) await world.command(["secret-paths", "allow", world.path(file)]);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual(readdirSync(world.path(".")), [".env.local", "beside.txt", "first.txt"]);
});
