import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import type { Turn } from "../../../signal/turn.ts";
import { makeSemanticWorld } from "./semantic-world.fixture.ts";

type World = Awaited<ReturnType<typeof makeSemanticWorld>>;

/** A finished turn in which the owner said this. */
async function say({ state }: World, text: string, label: Label = bottomLabel): Promise<Turn> {
  const { turn } = await state.accept(sampleSignal({ id: text, text, label }), 50);
  const calls = [
    {
      id: "call",
      action: { target: "tool", payload: { tool: "recall", args: { query: "CALL-WORDS" } }, explanation: "" },
    },
  ] as const;
  const asked: Message = {
    role: "assistant",
    text: "",
    calls,
    native: true,
    provider: "p",
    raw: null,
    label: bottomLabel,
  };
  await state.commit({ turn: { ...turn, state: "thinking" } });
  await state.commit({
    turn: { ...turn, state: "answered", text: "Noted.", messages: [...turn.messages, asked] },
  });
  return turn;
}

/** How many messages have a vector. */
function countVectors({ policy }: World): number {
  const database = new DatabaseSync(join(policy.config.places.state, "vectors.db"), { readOnly: true });
  const row = database.prepare("SELECT count(*) AS count FROM said_vectors WHERE vector IS NOT NULL").get();
  database.close();
  return Number(row?.["count"]);
}

const remote = { EMBEDDING_PROVIDER: "remote", EMBEDDING_PRICE: "1000" };

async function wordsOf(test: TestContext, settings: Readonly<Record<string, string>>) {
  const world = await makeSemanticWorld(test, settings);
  await say(world, "I sold the vehicle to Oskar");
  await say(world, "PRIVATE-TALK about the doctor", { ...bottomLabel, secrecy: "private" });
  await world.beat();
  return world;
}

test("what was said is found by another word for it, among notes that are found so", async (t) => {
  const world = await makeSemanticWorld(t);
  await say(world, "I sold the vehicle to Oskar");
  assert.deepEqual(await world.find("automobile"), []);
  await world.beat();
  const found = await world.find("automobile");
  assert.equal(found.filter((title) => title.endsWith("owner")).length, 1);
  assert.ok(found.includes("A blue sedan"));
  const before = world.server.requests.length;
  await world.beat();
  assert.equal(world.server.requests.length, before, "without new words nothing is sent");
  await say(world, "The cottage is let");
  await world.beat();
  assert.deepEqual(world.server.requests.at(-1)?.input, ["The cottage is let"]);
});

test("private words go to no embedder that is not local, lines on calls to none, and all is booked", async (t) => {
  const world = await wordsOf(t, remote);
  assert.match(world.sent().join("\n"), /Oskar/);
  assert.doesNotMatch(world.sent().join("\n"), /PRIVATE-TALK|CALL-WORDS/);
  const [total] = await world.state.ledger.totals({});
  assert.equal(total?.microdollars, world.sent().length * 10 * 1000);
  const local = await wordsOf(t, {});
  assert.match(local.sent().join("\n"), /PRIVATE-TALK/);
  assert.doesNotMatch(local.sent().join("\n"), /CALL-WORDS/);
});

test("words that exceed the day's budget are not sent, and are found as before", async (t) => {
  const world = await wordsOf(t, { ...remote, BUDGET_PER_DAY: "0" });
  assert.equal(world.server.requests.length, 0);
  assert.match((await world.find("Oskar"))[0] ?? "", /owner$/);
});

test("the vector of forgotten words is deleted, even while the embedder fails, and new words under a number of old ones get their own", async (t) => {
  const world = await makeSemanticWorld(t);
  const turn = await say(world, "I sold the vehicle to Oskar");
  await world.beat();
  const before = countVectors(world);
  world.server.fail(500);
  writeFileSync(world.file, "* Something new\n");
  await world.notes.sync();
  await world.beat();
  assert.notEqual(world.semanticIndex?.problem(), null);
  await world.state.forget(
    { id: turn.id, files: [], versions: [], edits: [], grown: null },
    { turn: null, session: null },
  );
  await world.beat();
  assert.equal(countVectors(world), before - 1 - 1, "the owner's words and the reply have none any more");
  world.server.fail(null);
  world.time.now += 61_000;
  await say(world, "The cottage is let");
  await world.beat();
  assert.match(world.sent().join("\n"), /cottage is let/);
});

test("all notes get their vectors in one go, however many there are", async (t) => {
  const world = await makeSemanticWorld(t);
  writeFileSync(world.file, Array.from({ length: 2500 }, (_, at) => `* Note ${at}\n`).join(""));
  await world.notes.sync();
  await world.beat();
  assert.ok(world.sent().includes("Note 2499"));
});

test("a search does not wait for the vectors that are made meanwhile", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  writeFileSync(world.file, Array.from({ length: 2500 }, (_, at) => `* Note ${at}\n`).join(""));
  await world.notes.sync();
  world.semanticIndex?.startFilling();
  await world.semanticIndex?.nearest("physician", bottomLabel, 5);
  assert.ok(world.sent().includes("physician"));
  assert.ok(!world.sent().includes("Note 2499"), "the search was answered before all vectors were made");
  await world.semanticIndex?.idle();
});
