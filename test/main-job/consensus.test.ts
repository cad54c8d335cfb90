import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const remove = (line: string, words = "The owner asked for exactly this"): Step =>
  calls(["shell", { command: line, explanation: words }]);

/** Two models; what the first proposes is critical. */
async function twoModels(t: TestContext, first: readonly Step[], second: readonly Step[]) {
  const world = await makeWorld(t, [...first, { text: "Done.", repeat: true }], {
    PROVIDER_CASCADE: "loop,second",
    CONSENSUS_MODELS: "loop,second",
    CONSENSUS_EFFECTS: "delete,final",
    FIRST_TOKEN_TIMEOUT: "2",
    CASCADE_TIMEOUT: "4",
  });
  const other = await makeWorld(t, second);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(world.path(name), "x");
  const settings = { SECOND_BASE_URL: `${other.provider.url}/v1` };
  return { world, other, settings };
}

async function asked(world: AgentWorld, settings: Readonly<Record<string, string>>, words: string) {
  await using daemon = await world.open(settings);
  const said = await (await talkTo(daemon)).say(words);
  return { end: said.end, text: said.text };
}

/** Why the question is asked, without what other gates say of it. */
const disagree = /the models that you set for such steps do not agree: (.*)/;

test("models that would do the same agree, whatever they say, and nothing asks", async (t) => {
  const lie = remove("rm a.txt", "It only lists the files of the folder");
  const { world, other, settings } = await twoModels(t, [remove("rm a.txt")], [lie]);
  const said = await asked(world, settings, "delete a.txt");
  assert.doesNotMatch(said.text, disagree);
  assert.equal(other.provider.requests.length, 1);
  const booked = onDatabase(world, "SELECT provider, route FROM ledger WHERE route = 'consensus'");
  assert.deepEqual(
    booked.map(({ provider }) => provider),
    ["second"],
  );
});

for (const [what, second, told] of [
  ["differ by one path", remove("rm b.txt"), /second would .*b\.txt/],
  ["say the same and do another thing", remove("rm b.txt", "Removes a.txt"), /b\.txt/],
  ["answer with words alone", { text: "I agree, delete a.txt." }, /second answered with words/],
  ["fail", { status: 401, repeat: true }, /second gave no proposal/],
  ["are silent", { fault: "hang", repeat: true }, /second gave no proposal/],
] as const satisfies readonly (readonly [string, Step, RegExp])[]) {
  test(`the owner decides, with both shown, where models ${what}`, async (t) => {
    const { world, settings } = await twoModels(t, [remove("rm a.txt")], [second]);
    const said = await asked(world, settings, "delete a.txt");
    assert.equal(said.end, "approval-required");
    assert.match(disagree.exec(said.text)?.[1] ?? "", told);
    assert.match(said.text, /loop would .*a\.txt/);
    assert.ok(existsSync(world.path("a.txt")));
  });
}

test("a yes does what was asked, and asks no model again about it", async (t) => {
  const { world, other, settings } = await twoModels(t, [remove("rm a.txt")], [remove("rm b.txt")]);
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  const { turn } = await talk.say("delete a.txt");
  await talk.say(`/approve ${talk.token()}`);
  await daemon.whenSettled(turn);
  assert.deepEqual([existsSync(world.path("a.txt")), existsSync(world.path("b.txt"))], [false, true]);
  assert.equal(other.provider.requests.length, 1);
});

test("a step that is not critical asks no other model", async (t) => {
  const { world, other, settings } = await twoModels(t, [calls(["list-files", { path: "." }])], []);
  assert.equal((await asked(world, settings, "list")).text, "Done.");
  assert.equal(other.provider.requests.length, 0);
});
