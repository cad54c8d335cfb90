import assert from "node:assert/strict";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

/** A world whose model runs one command line, which is tried; null without bubblewrap. */
async function worldWith(t: TestContext, cmd: string) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "true" });
  // A file of the person that a sandbox shows beside the workspace.
  writeFileSync(join(world.home, ".gitconfig"), "[user]\nname = Ada\nemail = ada@mail.example\n");
  writeFileSync(world.path("left.py"), "open('/tmp/left', 'w').write('left')\n");
  writeFileSync(world.path("file.txt"), "one\n");
  chmodSync(world.path("file.txt"), 0o644);
  return { world, modeOf: (name: string) => (statSync(world.path(name)).mode & 0o7777).toString(8) };
}

const closing = [
  ["chmod 000 file.txt", "file.txt", "0", "000"],
  ["chmod 200 file.txt", "file.txt", "200", "200"],
  ["echo k > k.txt; chmod 111 k.txt", "k.txt", "111", "111"],
  // What lies beside the workspace at the end is compared with what was taken out of it.
  ["/usr/bin/python3 left.py; chmod 000 file.txt", "file.txt", "0", "000"],
] as const;
for (const [cmd, name, mode, written] of closing)
  test(`what '${cmd}' closes to its owner is closed afterwards, and the question says so`, async (t) => {
    const made = await worldWith(t, cmd);
    if (made === null) return;
    await using agent = await made.world.open();
    const talk = await talkTo(agent);
    const said = await talk.say("close it");
    assert.equal(said.end, "approval-required");
    const [asked] = named(said.events, "approval-required");
    assert.match(asked?.reason ?? "", new RegExp(`${name} gets the permissions ${written}`));
    await talk.say(`/approve ${talk.token()}`);
    assert.equal(made.modeOf(name), mode);
  });

test("a folder that a command closes to its owner asks, and is closed after the yes", async (t) => {
  const made = await worldWith(t, "mkdir locked; chmod 000 locked");
  if (made === null) return;
  await using agent = await made.world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("close it");
  const [asked] = named(said.events, "approval-required");
  assert.match(asked?.reason ?? "", /locked gets the permissions 000/);
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(made.modeOf("locked"), "0");
});

test("a file that would run with the rights of its owner does not, and the model is told", async (t) => {
  const made = await worldWith(t, "chmod 4755 file.txt");
  if (made === null) return;
  await using agent = await made.world.open();
  const talk = await talkTo(agent);
  assert.equal((await talk.say("give it")).end, "approval-required");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(made.modeOf("file.txt"), "755");
  assert.match(sent(made.world, 1), /file\.txt was not kept as 4755/);
});

test("a file that its owner may not read is taken away after a yes, and comes back", async (t) => {
  const made = await worldWith(t, "sh -c 'rm -f file.txt; echo new > new.txt'");
  if (made === null) return;
  chmodSync(made.world.path("file.txt"), 0o000);
  await using agent = await made.world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("tidy up");
  if (said.end === "approval-required") await talk.say(`/approve ${talk.token()}`);
  assert.match(sent(made.world, 1), /file\.txt/);
  assert.equal(existsSync(made.world.path("file.txt")), false);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.equal(made.modeOf("file.txt"), "0");
});
