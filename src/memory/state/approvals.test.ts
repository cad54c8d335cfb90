import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Turn } from "../../signal/turn.ts";
import { noon, openSampleState, sampleApproval, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "approvals-"));

async function suspend(
  state: State,
  changes: Parameters<typeof sampleApproval>[2] = {},
): Promise<{ readonly turn: Turn; readonly token: string; readonly tokenHash: string }> {
  const { turn } = await state.accept(sampleSignal(), 50);
  await state.commit({ turn: { ...turn, state: "thinking" } });
  const { token, tokenHash } = state.approvals.newToken();
  const suspended: Turn = { ...turn, state: "suspended" };
  await state.commit({ turn: suspended, approval: sampleApproval(turn.id, tokenHash, changes) });
  return { turn: suspended, token, tokenHash };
}

test("a token has 128 bits, is safe in a URL, and finds its question by its hash", async () => {
  await using state = await openSampleState(folder());
  const { token, tokenHash } = await suspend(state);
  assert.match(token, /^[A-Za-z0-9_-]{22}$/);
  assert.equal((await state.approvals.byToken(token))?.tokenHash, tokenHash);
  assert.equal(await state.approvals.byToken(tokenHash), null);
  assert.equal(await state.approvals.byToken("nonsense"), null);
  const tokens = Array.from({ length: 400 }, () => state.approvals.newToken().token);
  // As an argument of the command line, such a token would be an option.
  for (let more = 0; more < 2_000; more += 1) assert.doesNotMatch(state.approvals.newToken().token, /^-/);
  const made = tokens.map((each) => Buffer.from(each, "base64url"));
  for (let bit = 0; bit < 128; bit += 1) {
    const ones = made.filter((bytes) => (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1).length;
    assert.ok(ones > 100 && ones < 300, `bit ${bit} is set in ${ones} of 400 tokens`);
  }
});

test("no file of the state holds the token", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const { token } = await suspend(state);
  const names = readdirSync(place).filter((name) => name !== "lock");
  assert.ok(names.includes("state.db-wal"));
  for (const name of names) assert.equal(readFileSync(join(place, name)).includes(token), false);
});

test("an approval is used once, together with the turn's step", async () => {
  await using state = await openSampleState(folder());
  const { turn, token, tokenHash } = await suspend(state);
  const closeApproval = { tokenHash, state: "approved" } as const;
  await state.commit({ turn: { ...turn, state: "judging" }, closeApproval });
  assert.equal((await state.approvals.byToken(token))?.state, "approved");
  assert.deepEqual(await state.approvals.open(), []);
  await assert.rejects(
    state.commit({ turn: { ...turn, state: "acting" }, closeApproval }),
    /approved already/,
  );
  assert.equal((await state.turns.get(turn.id))?.state, "judging");
  await assert.rejects(state.approvals.close(tokenHash, "denied"), /approved already/);
});

test("past its expiry an approval is no: it cannot be used, is not listed, and ends once", async () => {
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now });
  const { token, tokenHash } = await suspend(state, { expiresAt: noon + 1000 });
  now = noon + 1000;
  assert.equal((await state.approvals.byToken(token))?.state, "expired");
  assert.deepEqual(await state.approvals.open("session-1"), []);
  await assert.rejects(state.approvals.close(tokenHash, "approved"), /expired already/);
  await state.approvals.close(tokenHash, "expired");
  await assert.rejects(state.approvals.close(tokenHash, "expired"), /expired already/);
});

test("turns that wait past the expiry of their question are named, once each, until they are decided", async () => {
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now });
  const due = await suspend(state, { expiresAt: noon + 1000 });
  await suspend(state, { expiresAt: noon + 5000 });
  const [asked] = await state.approvals.open();
  assert.ok(asked !== undefined);
  await state.approvals.reissueToken(asked);
  assert.deepEqual(await state.approvals.suspendedPastExpiry(now), []);
  now = noon + 1000;
  assert.deepEqual(await state.approvals.suspendedPastExpiry(now), [due.turn.id]);
  await state.commit({
    turn: { ...due.turn, state: "blocked" },
    closeApproval: { tokenHash: due.tokenHash, state: "expired" },
  });
  assert.deepEqual(await state.approvals.suspendedPastExpiry(now), []);
});

test("open questions are listed by session and survive a restart", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await suspend(state);
  }
  await using again = await openSampleState(place);
  assert.equal((await again.approvals.open("session-1")).length, 1);
  assert.equal((await again.approvals.open("session-2")).length, 0);
  const [approval] = await again.approvals.open();
  assert.equal((await again.approvals.byTurn(approval?.turn ?? "", "session-1")).length, 1);
  await again.approvals.close(approval?.tokenHash ?? "", "void");
  assert.deepEqual(await again.approvals.open(), []);
});

test("a question can have a further token; it is listed once, and the token that is used first ends the others", async () => {
  await using state = await openSampleState(folder());
  const { token, tokenHash } = await suspend(state);
  const [asked] = await state.approvals.open();
  assert.ok(asked !== undefined);
  const further = await state.approvals.reissueToken(asked);
  assert.notEqual(further, token);
  assert.equal((await state.approvals.open()).length, 1);
  const found = await state.approvals.byToken(further);
  assert.deepEqual([found?.state, found?.digest], ["open", asked.digest]);
  await state.approvals.close(found?.tokenHash ?? "", "approved");
  assert.equal((await state.approvals.byToken(token))?.state, "void");
  await assert.rejects(state.approvals.close(tokenHash, "approved"), /already and cannot be used again/);
});

test("a further token replaces the one before it and never the first, so that asking again and again leaves two", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const { token } = await suspend(state);
  const { token: other } = await suspend(state, { digest: "e".repeat(64) });
  const [asked] = await state.approvals.open();
  assert.ok(asked !== undefined);
  const further: string[] = [];
  for (let times = 0; times < 5; times += 1) further.push(await state.approvals.reissueToken(asked));
  const states = await Promise.all(
    [token, other, ...further].map(async (one) => (await state.approvals.byToken(one))?.state),
  );
  assert.deepEqual(states, ["open", "open", undefined, undefined, undefined, undefined, "open"]);
});

test("a list has the questions that were asked last, each once, however many tokens it has", async () => {
  await using state = await openSampleState(folder());
  const { approvals } = state;
  const asked = [];
  for (const id of ["one", "two", "three", "four"]) {
    asked.push(await suspend(state, { id }));
    const approval = await approvals.byHash(asked.at(-1)?.tokenHash ?? "");
    assert.ok(approval !== null);
    await approvals.reissueToken(approval);
  }
  const statesOf = async (most: Parameters<typeof approvals.listed>[0]) => {
    const { questions, more } = await approvals.listed(most);
    return [questions.map(({ id, state: now }) => `${id} ${now}`), more];
  };
  const all = { open: 10, ended: 10 };
  const names = ["one", "two", "three", "four"].map((id) => `question-${id} open`);
  assert.deepEqual(await statesOf(all), [names, 0]);
  assert.deepEqual(await statesOf({ open: 3, ended: 10 }), [names.slice(1), 1]);
  await approvals.close(asked[1]?.tokenHash ?? "", "denied");
  const further = await approvals.byHash(asked[2]?.tokenHash ?? "");
  assert.ok(further !== null);
  const second = await approvals.byToken(await approvals.reissueToken(further));
  await approvals.close(second?.tokenHash ?? "", "approved");
  const ended = ["question-two denied", "question-three approved"];
  assert.deepEqual(await statesOf(all), [[...ended, names[0], names[3]], 0]);
  assert.deepEqual(await statesOf({ open: 1, ended: 1 }), [[ended[1], names[3]], 1]);
});
