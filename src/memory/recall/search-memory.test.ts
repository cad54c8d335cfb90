import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import { makeWorld, open } from "../notes/open-notes.fixture.ts";
import { matchingLine } from "../search/matching-line.ts";
import { type FoundEntry, openTemporarySessionMemory } from "../state/session-memory.ts";
import type { NearText } from "./rank-by-meaning.ts";
import { type MemorySources, searchMemory } from "./search-memory.ts";

function said(id: string, speaker: string, text: string, score = 1): FoundEntry {
  return { id, session: "s", turn: null, speaker, at: 0, text, label: bottomLabel, score, isContext: false };
}

/** Notes about a garden, and what else a search may find. */
async function ask(
  query: string,
  others: {
    readonly said?: readonly FoundEntry[];
    /** Messages that no word finds. */
    readonly unsaid?: readonly FoundEntry[];
    readonly near?: Readonly<Record<string, number>>;
    readonly nearSaid?: Readonly<Record<string, number>>;
  },
): Promise<readonly string[]> {
  const world = makeWorld({
    "a.org": "* Garden fence\nPaint the fence green.\n* Sedan\nIn the garage.\n* Hose\nFor the garden.\n",
  });
  await using notes = open(world);
  await notes.sync();
  const state: MemorySources["state"] = {
    objects: { search: async () => [] },
    sessionMemory: {
      search: async () => others.said ?? [],
      get: async (id) => others.unsaid?.find((entry) => entry.id === id) ?? null,
    },
  };
  const semanticIndex = {
    nearest: async () => ({ notes: listOf(others.near), said: listOf(others.nearSaid) }),
  };
  const found = await searchMemory({ notes, state, semanticIndex }, { text: query, limit: 10 });
  return found.map(({ id }) => id.replace("a.org::", ""));
}

function listOf(near: Readonly<Record<string, number>> = {}): readonly NearText[] {
  return Object.entries(near).map(([id, deviations]) => ({ id, deviations }));
}

test("what was said is found by meaning too, ranked with its match by words; a named message stays first", async () => {
  const unsaid = [said("sedan", "owner", "I sold the sedan"), said("far", "owner", "hello")];
  assert.deepEqual(await ask("automobile", { unsaid, nearSaid: { sedan: 3, far: -0.2 } }), ["sedan"]);
  const named = { ...said("named", "owner", "x"), score: null };
  const worded = [
    named,
    said("best", "owner", "automobile show"),
    said("second", "owner", "automobile", 0.8),
  ];
  assert.deepEqual(await ask("automobile", { said: worded, unsaid, nearSaid: { sedan: 3, second: 1 } }), [
    "named",
    "second",
    "best",
    "sedan",
  ]);
});

test("a person finds what has the words or answers a question with them, and no message that only stands beside it or is of a turn left out", async () => {
  const world = makeWorld({
    "a.org": "* Roses\nWater them on Friday.\n* Bins\nOut on Friday.\n* Hose\n* Fence\n",
  });
  await using notes = open(world);
  await notes.sync();
  using sessionMemory = openTemporarySessionMemory();
  const talk = ["hello", "Hello!", "the roses look well", "The boiler man comes on Tuesday.", "fine", "And?"];
  const asked = ["who prunes the roses?", "Hansen does.", "good"];
  const entryOf = (session: string) => (text: string, at: number) => ({
    ...said(`${session}${at + 1}`, at % 2 === 0 ? "owner" : "agent", text),
    session,
    turn: `turn of ${session}`,
  });
  sessionMemory.file([...talk.map(entryOf("a")), ...asked.map(entryOf("b"))]);
  const state = {
    objects: { search: async () => [] },
    sessionMemory: { ...sessionMemory, get: async () => null },
  };
  const find = async (more: object) => {
    const query = { text: "roses", limit: 10, matchesOnly: true, ...more };
    return (await searchMemory({ notes, state, semanticIndex: null }, query)).map(({ id }) => id);
  };
  assert.deepEqual((await find({})).toSorted(), ["a.org::Roses", "a3", "b1", "b2"]);
  assert.equal((await find({}))[0], "a.org::Roses");
  assert.deepEqual((await find({ withoutTurns: new Set(["turn of b"]) })).toSorted(), ["a.org::Roses", "a3"]);
  assert.ok((await find({ matchesOnly: false })).includes("a4"), "a model gets what stands beside it");
});

test("lines on calls of the agent, which repeat the question, come behind everything else", async () => {
  const line = said("line", "agent", 'tool {"args":{"query":"garden"}} The owner asked: success');
  const words = said("words", "owner", "the garden gate squeaks");
  assert.deepEqual(await ask("garden", { said: [line, words] }), ["Garden fence", "words", "Hose", "line"]);
});

test("meaning adds to the match by words: a note far nearer than others comes first, little differences change nothing", async () => {
  assert.deepEqual(await ask("garden fence", {}), ["Garden fence", "Hose"]);
  assert.deepEqual(await ask("garden fence", { near: { "a.org::Hose": 0.5 } }), ["Garden fence", "Hose"]);
  assert.deepEqual(await ask("automobile", { near: { "a.org::Sedan": 3, "a.org::Hose": 1 } }), [
    "Sedan",
    "Hose",
  ]);
  assert.equal((await ask("garden", { near: { "a.org::Hose": 3.5 } }))[0], "Hose");
});

test("a public search is that of a memory without what is private: nothing is counted, ranked or learned by it", async () => {
  const titles = ["Garden shed", "Garden hose", "Garden fence", "Kiln"];
  const publicNotes = `${titles.map((title) => `* ${title}\n`).join("")}* Kiln and clay\nThe clay is grey.\n`;
  const diary = "* Garden diary :@personal:\nThe garden has clay and a kiln.\n".repeat(30);
  const found = await Promise.all(
    [diary, ""].map(async (hidden) => {
      const world = makeWorld({ "a.org": publicNotes, "b.org": hidden });
      await using notes = open(world);
      await notes.sync();
      const search = { text: "garden", limit: 4, publicOnly: true };
      return (await searchMemory({ notes, state: null, semanticIndex: null }, search)).map(({ id }) => id);
    }),
  );
  assert.equal(found[0]?.length, 3);
  assert.deepEqual(found[0], found[1]);
});

test("the matching line is the one with most words of the query, and no heading where there is another", () => {
  const text = "* Boiler\n:PROPERTIES:\n:ID: boiler\n:END:\nFirst words.\nHansen looked at the valves.\n";
  assert.equal(matchingLine("who looked at the valve", text), "Hansen looked at the valves.");
  assert.equal(matchingLine("boiler", text), "First words.");
  assert.equal(matchingLine("boiler", "* Boiler\n"), "* Boiler");
  assert.equal(matchingLine("x", ""), "");
  assert.equal(matchingLine("x", "y".repeat(400)).length, 160);
});
