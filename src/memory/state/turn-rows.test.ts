import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Turn } from "../../signal/turn.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { openSampleState, sampleResult, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const sources = Array.from({ length: 32 }, (_, index) => ({ id: `turn-${index}`, path: "/text" }));
const call = { id: "c1", action: { target: "tool", payload: { tool: "read-file" }, explanation: "to look" } };

function labelFrom(from: number): Label {
  return { integrity: "agent", secrecy: "public", sources: sources.slice(from) };
}

function said(text: string, from: number): Message {
  return {
    role: "assistant",
    text,
    calls: [call],
    native: true,
    provider: "p",
    raw: { text },
    label: labelFrom(from),
  };
}

function onDatabase(place: string, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(place, "state.db"));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test("what was told in a turn that runs is not written back once it was forgotten", async () => {
  await using state = await openSampleState(join(root, "told"));
  const label = labelFrom(0);
  const { turn: old } = await state.accept(sampleSignal({ id: "s0", text: "the codeword" }), 50);
  await state.commit({ turn: { ...old, state: "thinking" } });
  await state.commit({ turn: { ...old, state: "answered" } });
  const { turn } = await state.accept(sampleSignal({ id: "s1", session: "session-2" }), 50);
  const codeword: Message = { role: "user", text: "the codeword", label, told: true };
  const running: Turn = { ...turn, state: "thinking", told: [{ after: 1, at: 0, messages: [codeword] }] };
  await state.commit({ turn: running });
  await state.forgetSession({ session: "session-1", grown: null });
  await state.commit({ turn: { ...running, state: "judging" } });
  await state.commit({ turn: { ...running, state: "answered" } });
  assert.equal((await state.turns.get(turn.id))?.told, undefined);
});

test("each message of a turn is written once, and the turn is read as it was committed, also after an opening", async () => {
  const place = join(root, "once");
  let turn: Turn;
  {
    await using state = await openSampleState(place);
    turn = (await state.accept(sampleSignal(), 50)).turn;
    const guard = (event: string) =>
      onDatabase(
        place,
        `CREATE TRIGGER once_${event} BEFORE ${event} ON messages BEGIN SELECT RAISE(ABORT, 'written twice'); END`,
      );
    guard("UPDATE");
    guard("DELETE");
    for (let step = 0; step < 5; step += 1) {
      const result = sampleResult(`r${step}`, "text", { label: labelFrom(step) });
      const messages: readonly Message[] = [
        ...turn.messages,
        said(`step ${step}`, step),
        { role: "result", callId: "c1", native: true, result },
      ];
      turn = { ...turn, state: "judging", messages, pending: [call] };
      await state.commit({ turn, results: [result] });
      assert.deepEqual(await state.turns.get(turn.id), turn);
      assert.deepEqual(await state.results.get(`r${step}`), result);
    }
  }
  await using again = await openSampleState(place);
  assert.deepEqual(await again.turns.get(turn.id), turn);
  const next: Turn = { ...turn, messages: [...turn.messages, said("the last", 3)] };
  await again.commit({ turn: next });
  assert.deepEqual(await again.turns.get(turn.id), next);
});

test("a turn whose messages were replaced is read as it was committed last", async () => {
  await using state = await openSampleState(join(root, "replaced"));
  const { turn } = await state.accept(sampleSignal(), 50);
  const longer = [...turn.messages, said("one", 0), said("two", 0)];
  await state.commit({ turn: { ...turn, state: "thinking", messages: longer } });
  const other: Turn = { ...turn, state: "thinking", messages: [...turn.messages, said("other", 5)] };
  await state.commit({ turn: other });
  assert.deepEqual(await state.turns.get(turn.id), other);
});

test("a deferred step is seen at once, and is on the disk when the state is closed", async () => {
  const place = join(root, "deferred");
  let turn: Turn;
  {
    await using state = await openSampleState(place);
    turn = (await state.accept(sampleSignal(), 50)).turn;
    turn = { ...turn, state: "thinking", messages: [...turn.messages, said("soon", 0)] };
    await state.commit({ turn, durability: "deferred" });
    assert.deepEqual(await state.turns.get(turn.id), turn);
    assert.deepEqual(
      onDatabase(place, "SELECT state FROM turns").map(({ state: kept }) => kept),
      ["queued"],
    );
  }
  await using again = await openSampleState(place);
  assert.deepEqual(await again.turns.get(turn.id), turn);
});

test("a state of version 1 that is opened for reading only is left as it is, and explained", async () => {
  const place = join(root, "reading-1");
  cpSync(join(import.meta.dirname, "../../../test/fixtures/state-v1/state"), place, { recursive: true });
  const before = readFileSync(join(place, "state.db"));
  await assert.rejects(
    openSampleState(place, { access: "read" }),
    (error) =>
      error instanceof StateProblem &&
      error.code === "older-version" &&
      /has version 1, and this program reads version 17\. .*Start a conversation or the daemon once/.test(
        error.message,
      ),
  );
  assert.deepEqual(readFileSync(join(place, "state.db")), before);
});

test("a state of version 1 keeps every word of its turns, and has the smaller pages of a new one", async () => {
  const place = join(root, "version-1");
  cpSync(join(import.meta.dirname, "../../../test/fixtures/state-v1/state"), place, { recursive: true });
  const old = onDatabase(place, "SELECT body FROM turns ORDER BY number").map(
    ({ body }): Turn => JSON.parse(String(body)),
  );
  {
    await using state = await openSampleState(place);
    for (const turn of old) assert.deepEqual(await state.turns.get(turn.id), turn);
    const [first] = await state.sessionMemory.search("due today", 5);
    assert.equal(first?.text, "what is due today?");
  }
  assert.deepEqual(
    [
      onDatabase(place, "PRAGMA page_size")[0]?.["page_size"],
      onDatabase(place, "PRAGMA journal_mode")[0]?.["journal_mode"],
    ],
    [1024, "wal"],
  );
});
