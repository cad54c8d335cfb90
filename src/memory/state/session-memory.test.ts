import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Turn } from "../../signal/turn.ts";
import { openDatabase } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";
import { noon, openSampleState, sampleObject, sampleResult, sampleSignal } from "./samples.fixture.ts";
import { openTemporarySessionMemory } from "./session-memory.ts";
import type { State } from "./state.ts";
import type { TranscriptEntry } from "./transcript.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const agent: Label = { integrity: "agent", secrecy: "public", sources: [] };
const secret: Label = { integrity: "agent", secrecy: "secret", sources: [] };

/** A turn of a session from its first word to its end. */
async function converse(state: State, said: string, changes: Partial<Turn> = {}): Promise<Turn> {
  const { turn } = await state.accept(sampleSignal({ id: said, text: said }), 50);
  const end: Turn = { ...turn, state: "answered", text: "Noted.", ...changes };
  await state.commit({ turn: { ...turn, state: "thinking" } });
  await state.commit({ turn: { ...end, messages: [...turn.messages, ...(changes.messages ?? [])] } });
  return turn;
}

function answer(text: string, changes: Partial<Message & { role: "assistant" }> = {}): Message {
  return {
    role: "assistant",
    text,
    calls: [],
    native: true,
    provider: "p",
    raw: null,
    label: agent,
    ...changes,
  };
}

async function texts(state: State, query: string): Promise<readonly string[]> {
  return (await state.sessionMemory.search(query, 10)).map(({ text }) => text);
}

test("a finished turn is found by the owner's words, which are kept whole, and by the answer", async () => {
  const folder = join(root, "words");
  const long = `The kayak is in the shed. ${"So it is. ".repeat(2000)}Do not sell it.`;
  await using state = await openSampleState(folder);
  const turn = await converse(state, long, { text: "I will leave the boat alone." });
  assert.deepEqual(await texts(state, "where is my kayak?"), [long, "I will leave the boat alone."]);
  const [first] = await state.sessionMemory.search("kayak", 1);
  assert.ok(first !== undefined);
  const { score, isContext, ...entry } = first;
  assert.ok((score ?? 0) > 0);
  assert.equal(isContext, false);
  assert.deepEqual(entry, {
    id: `${turn.id}:1`,
    session: "session-1",
    turn: turn.id,
    speaker: "owner",
    at: noon,
    text: long,
    label: sampleSignal().label,
  });
  assert.deepEqual(await state.sessionMemory.get(`${turn.id}:1`), entry);
  assert.equal(await state.sessionMemory.get("nothing"), null);
});

test("a turn that has not ended is not in it, and one that failed is", async () => {
  await using state = await openSampleState(join(root, "open"));
  const { turn } = await state.accept(sampleSignal({ text: "about giraffes" }), 50);
  assert.deepEqual(await texts(state, "giraffes"), []);
  await state.commit({ turn: { ...turn, state: "thinking" } });
  await state.commit({ turn: { ...turn, state: "failed", code: "no-provider", text: "No provider." } });
  assert.deepEqual(await texts(state, "giraffes"), ["about giraffes", "No provider."]);
});

test("a call is remembered in a line, its result is not", async () => {
  await using state = await openSampleState(join(root, "calls"));
  const action = {
    target: "tool",
    payload: { tool: "read-file", path: "inbox.org" },
    explanation: "to look",
  };
  const result = sampleResult("result-1", "an elephant");
  await converse(state, "read it", {
    messages: [
      answer("I look.", { calls: [{ id: "call-1", action }] }),
      { role: "result", callId: "call-1", native: true, result },
      answer("There it is."),
    ],
    text: "There it is.",
  });
  assert.deepEqual(
    (await texts(state, "read inbox look")).toSorted(),
    [
      "I look.",
      "There it is.",
      "read it",
      'tool {"path":"inbox.org","tool":"read-file"} to look: success',
    ].toSorted(),
  );
  assert.deepEqual(await texts(state, "elephant"), []);
});

test("what is labelled secret is not in it, and labels stay with what is", async () => {
  await using state = await openSampleState(join(root, "labels"));
  const label: Label = { integrity: "untrusted", secrecy: "private", sources: [{ id: "r", path: "" }] };
  await converse(state, "what is it?", {
    messages: [answer("hunter2", { label: secret }), answer("A word of the web.", { label })],
    text: "hunter2",
  });
  assert.deepEqual(await texts(state, "hunter2"), []);
  const [found] = await state.sessionMemory.search("web", 1);
  assert.deepEqual(found?.label, label);
});

test("undo and rollback take back what was done, not what was said", async () => {
  await using state = await openSampleState(join(root, "undo"));
  const { id } = await state.objects.snapshot("before");
  const turn = await converse(state, "remember the zebra");
  const author = { turn: turn.id, session: turn.session };
  await state.objects.put(sampleObject("note", "a zebra"), author);
  await state.objects.revertTurn(turn.id, author);
  await state.objects.rollback(id, author);
  assert.deepEqual(await texts(state, "zebra"), ["remember the zebra", "Noted."]);
});

test("a reader finds what a writer has filed", async () => {
  const folder = join(root, "reader");
  await using state = await openSampleState(folder);
  await converse(state, "the ferry leaves at nine");
  await using reader = await openSampleState(folder, { access: "read" });
  assert.deepEqual(await texts(reader, "ferry"), ["the ferry leaves at nine", "Noted."]);
});

test("an entry is filed once, and the session that says most about a question comes first", async () => {
  using memory = openTemporarySessionMemory();
  const entry = (id: string, session: string, text: string): TranscriptEntry => ({
    id,
    session,
    turn: null,
    speaker: "Ann",
    at: null,
    text,
    label: agent,
  });
  memory.file([
    entry("a", "one", "We sail on Sunday."),
    entry("b", "two", "We sail on Sunday."),
    entry("c", "two", "The boat is ready for sailing."),
    entry("c", "two", "something else"),
  ]);
  const found = await memory.search("Who sails the boat on Sunday?", 10);
  assert.deepEqual(new Set(found.slice(0, 2).map(({ id }) => id)), new Set(["b", "c"]));
  assert.deepEqual(await memory.search("else", 10), []);
});

test("a public search passes over private entries: they take no place, and no neighbour counts their words", async () => {
  using memory = openTemporarySessionMemory();
  const said = (id: string, text: string, label: Label) =>
    ({ id, session: "one", turn: null, speaker: "Ann", at: null, text, label }) as const;
  const hidden: Label = { ...agent, secrecy: "private" };
  const diary = Array.from({ length: 5 }, (_, at) => said(`d${at}`, "The surgeon called.", hidden));
  memory.file([
    said("a", "We sail.", agent),
    ...diary,
    said("b", "Good.", agent),
    said("c", "A surgeon.", agent),
  ]);
  const ids = async (query: string, publicOnly: boolean) =>
    (await memory.search(query, 2, { publicOnly })).map(({ id }) => id);
  assert.deepEqual(await ids("surgeon", true), ["c", "b"]);
  assert.deepEqual(await ids("called", true), []);
  assert.equal((await ids("called", false))[0]?.startsWith("d"), true);
});

test("what was said before days were indexed is found by its day after a migration", async () => {
  const folder = join(root, "days");
  {
    await using state = await openSampleState(folder);
    await converse(state, "The kayak is in the shed.");
    assert.equal((await texts(state, "what did I tell you today")).length, 2);
  }
  const database = openDatabase(join(folder, "state.db"), "write");
  const columns = "title, text, tags, properties";
  for (const row of database.all(`SELECT number, ${columns} FROM said_words_rows`)) {
    const number = integer(row, "number");
    const words = ["title", "text", "tags", "properties"].map((column) => text(row, column));
    const older = words.map((column) => column.replaceAll(/\p{Co}\S+ ?/gu, "").trim());
    database.run(
      `INSERT INTO said_words (said_words, rowid, ${columns}) VALUES ('delete', ?, ?, ?, ?, ?)`,
      number,
      ...words,
    );
    database.run(`INSERT INTO said_words (rowid, ${columns}) VALUES (?, ?, ?, ?, ?)`, number, ...older);
    database.run("UPDATE said_words_rows SET properties = ? WHERE number = ?", older[3] ?? "", number);
  }
  database.script("PRAGMA user_version = 5");
  database.close();
  await using state = await openSampleState(folder);
  assert.equal((await texts(state, "what did I tell you today")).length, 2);
});
