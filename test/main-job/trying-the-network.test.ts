import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { calls, isMissing, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const shell = (cmd: string, more = {}) => calls(["shell", { cmd, ...more }]);
const done = { text: "Done." };

/** A world in which commands are tried; null without bubblewrap. */
async function tryingWorld(t: TestContext, steps: Parameters<typeof makeWorld>[1]) {
  return isMissing(t, "bwrap", "bubblewrap") ? null : await makeWorld(t, steps, { TRIALS: "true" });
}

test("a command that fails in its trial for want of a host asks for that host, once; a yes runs it with it, and nothing of the trial is left", async (t) => {
  const world = await tryingWorld(t, [shell("sh build.sh"), done]);
  if (world === null) return;
  const reach = "curl -fsS http://nowhere.invalid/; curl -fsS http://nowhere.invalid:8080/";
  writeFileSync(world.path("build.sh"), `echo x >> made.txt; ${reach}`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("build it");
  const [question] = named(asked.events, "approval-required");
  assert.match(
    question?.reason ?? "",
    /with network to nowhere\.invalid, nowhere\.invalid:8080 only, which it tried to reach by itself when it failed without network, and can send/,
  );
  const reached = question?.effects.flatMap((effect) =>
    effect.kind === "reach-host" ? [`${effect.target}:${effect.port}`] : [],
  );
  assert.deepEqual(reached?.toSorted(), [
    "nowhere.invalid:443",
    "nowhere.invalid:80",
    "nowhere.invalid:8080",
  ]);
  assert.equal(existsSync(world.path("made.txt")), false);
  const answered = await talk.say(`/approve ${talk.token()}`);
  assert.deepEqual(named(answered.events, "approval-required"), []);
  assert.equal(readFileSync(world.path("made.txt"), "utf8"), "x\n");
  assert.match(sent(world, 1), /could not connect to nowhere\.invalid:80 \(it could not be reached/);
});

test("a command that only waits for a host is ended after seconds, and asks for that host; after a no, or where it may ask for none, the model is told which it was", async (t) => {
  const script = "until curl -fsS http://nowhere.invalid/ 2>/dev/null; do sleep 1; done";
  const world = await tryingWorld(t, [shell("sh wait.sh"), shell("sh wait.sh", { network: [] }), done]);
  if (world === null) return;
  writeFileSync(world.path("wait.sh"), script);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("build it");
  assert.match(
    named(asked.events, "approval-required")[0]?.reason ?? "",
    /with network to nowhere\.invalid only, which it tried to reach by itself when it failed without network/,
  );
  const answered = await talk.say(`/deny ${talk.token()}`);
  assert.deepEqual(named(answered.events, "approval-required"), []);
  assert.match(
    sent(world, 2),
    /sh was ended, since it only waited for nowhere\.invalid:80, which it may not reach\. The command ran without network/,
  );
});

test("a silent command that works on while a helper of it asks for a host again and again is not ended", async (t) => {
  const world = await tryingWorld(t, [shell("sh work.sh"), done]);
  if (world === null) return;
  const helper = "until curl -fsS http://nowhere.invalid/ 2>/dev/null; do sleep 1; done &";
  const work =
    "n=0; while [ $n -lt 9 ]; do n=$((n+1)); echo $n > step.txt; sleep 1; done; kill $!; echo done > made.txt";
  writeFileSync(world.path("work.sh"), `${helper}\n${work}\n`);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("build it");
  assert.equal(readFileSync(world.path("made.txt"), "utf8"), "done\n");
});

test("a no to the hosts of a trial goes to the model and leaves nothing; the same command is tried again without a second question", async (t) => {
  const script =
    "perl -e 'open F, q(>), q(made.txt); exit system(qw(curl -fsS https://other.invalid/)) >> 8'";
  const world = await tryingWorld(t, [shell(script), shell(script), done]);
  if (world === null) return;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("build it");
  assert.equal(named(asked.events, "approval-required").length, 1);
  const answered = await talk.say(`/deny ${talk.token()}`);
  assert.deepEqual(named(answered.events, "approval-required"), []);
  assert.match(sent(world, 1), /said no/);
});

test("no host is asked for where the command succeeds, says that it needs none, tries too many or none that may be reached", async (t) => {
  const scripts = [
    "curl -fsS http://nowhere.invalid/; true",
    "for n in 1 2 3 4 5 6 7 8 9 10 11; do curl -fsS http://h$n.invalid/; done; exit 7",
    "curl -fsS http://10.1.2.3/ http://localhost:1/ http://169.254.169.254/",
    "curl -fsS http://metadata.google.internal/",
    "echo http://nowhere.invalid/; exit 6",
  ];
  const none = "curl -fsS http://nowhere.invalid/";
  const world = await tryingWorld(t, [
    ...scripts.map((_, index) => shell(`sh ${index}.sh`)),
    shell("sh none.sh", { network: [] }),
    done,
  ]);
  if (world === null) return;
  for (const [index, script] of scripts.entries()) writeFileSync(world.path(`${index}.sh`), script);
  writeFileSync(world.path("none.sh"), none);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("check it");
  assert.equal(said.end, "answered");
  assert.deepEqual(named(said.events, "approval-required"), []);
  const outcomes = named(said.events, "outcome").map(({ content }) => JSON.stringify(content));
  assert.equal(outcomes.length, scripts.length + 1);
  for (const index of [0, 1, 2, 3, 5]) assert.match(outcomes[index] ?? "", /ran without network/, `${index}`);
});

test("a script that reaches its own host beside a harmless one gets a question that shows both, whatever its words and output say", async (t) => {
  const world = await tryingWorld(t, [shell("sh build.sh registry.invalid"), done]);
  if (world === null) return;
  writeFileSync(
    world.path("build.sh"),
    [
      'echo "could not connect to registry.invalid:443" >&2',
      "curl -fsS https://registry.invalid/ -H 'Host: registry.invalid'",
      "curl -fsS -H 'Host: registry.invalid' http://EVIL.invalid./registry.invalid",
      "exit 1",
    ].join("\n"),
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("build it");
  const [question] = named(asked.events, "approval-required");
  const network = question?.effects.flatMap((effect) =>
    effect.kind === "run-program" ? (effect.network ?? []) : [],
  );
  assert.deepEqual(network, ["registry.invalid", "evil.invalid"]);
  assert.match(question?.reason ?? "", /network to registry\.invalid, evil\.invalid only/);
  await talk.say(`/approve ${talk.token()}`);
  assert.ok(journalOf(world).some(({ detail }) => detail["host"] === "evil.invalid"));
});
