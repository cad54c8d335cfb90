import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

/** Names that no resolver knows: what passes fails to be found, and nothing is sent. */
const fetches = (...urls: readonly string[]): Step =>
  calls(...urls.map((url) => ["fetch-url", { url }] as const));
const answers = (world: AgentWorld) =>
  journalOf(world).flatMap(({ kind, detail }) => (kind === "approval" ? [detail] : []));

test("a yes may endorse a value for the rest of its turn, through a restart, and no longer", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    fetches("https://docs.invalid/1"),
    fetches("https://docs.invalid/2"),
    fetches("https://other.invalid/"),
    { text: "Not found." },
    fetches("https://docs.invalid/3"),
  );
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "work");
    await talk.say("look it up");
    const [question] = named(talk.events, "approval-required");
    assert.deepEqual(question?.endorsable, ["https://docs.invalid"]);
    assert.match(question?.reason ?? "", /; the address is the model's own$/);
    await talk.say(`/approve ${talk.token()} value`);
    assert.match(sent(world, 2), /host-not-found|not-resolved/, "the second address was asked about");
    assert.deepEqual(named(talk.events, "approval-required").at(-1)?.endorsable, ["https://other.invalid"]);
  }
  assert.deepEqual(answers(world), [{ answer: "yes", endorsed: ["url"] }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "work");
  await talk.say("/status");
  world.provider.drop();
  world.provider.add(
    fetches("https://docs.invalid/4"),
    { text: "Not found." },
    fetches("https://docs.invalid/3"),
  );
  const token = (await daemon.unsentQuestions())[0]?.token ?? "";
  await talk.say(`/deny ${token}`);
  assert.equal(named(talk.events, "approval-required").length, 0, "a restart took the endorsement away");
  assert.equal((await talk.say("again")).end, "approval-required");
});

test("only a question about the origin of a value can endorse one", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch a" }]), { text: "Done." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("do it");
  assert.equal(named(talk.events, "approval-required")[0]?.endorsable, undefined);
  const refused = await talk.say(`/approve ${talk.token()} value`);
  assert.deepEqual([refused.end, refused.code], ["refused", "no-value"]);
  assert.deepEqual(answers(world), []);
  assert.equal((await talk.say(`/approve ${talk.token()}`)).text, "Done.");
});

test("an endorsed value lifts no block and no other ask", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    fetches("http://docs.invalid:81/1"),
    fetches("http://169.254.169.254/latest"),
    fetches("http://127.0.0.1:81/1"),
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("look it up");
  const said = await talk.say(`/approve ${talk.token()} value`);
  assert.equal(said.end, "approval-required");
  assert.match(sent(world, 2), /link-local or a metadata service/);
  const last = named(talk.events, "approval-required").at(-1);
  assert.match(last?.reason ?? "", /which is not on the internet/);
  assert.equal(last?.endorsable, undefined);
});
