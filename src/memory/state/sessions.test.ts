import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "sessions-"));
const unnamed = { name: null, workspace: null, source: "cli" } as const;

test("a name opens the same session again, without a name each is new", async () => {
  await using state = await openSampleState(folder());
  const named = await state.sessions.open({ name: "work", workspace: "/w", source: "cli" });
  assert.deepEqual(await state.sessions.open({ name: "work", workspace: "/other", source: "tui" }), named);
  assert.deepEqual(await state.sessions.byName("work"), named);
  const first = await state.sessions.open(unnamed);
  const second = await state.sessions.open(unnamed);
  assert.equal(new Set([named.id, first.id, second.id]).size, 3);
});

test("the latest session is the one in which something was said last", async () => {
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now });
  assert.equal(await state.sessions.latest(unnamed.workspace), null);
  const first = await state.sessions.open(unnamed);
  now += 1;
  const second = await state.sessions.open(unnamed);
  await state.accept(sampleSignal({ id: "one", session: second.id }), 50);
  assert.equal((await state.sessions.latest(unnamed.workspace))?.id, second.id);
  now += 1;
  await state.accept(sampleSignal({ id: "two", session: first.id }), 50);
  assert.equal((await state.sessions.latest(unnamed.workspace))?.id, first.id);
  now += 1;
  await state.sessions.open(unnamed);
  assert.equal(
    (await state.sessions.latest(unnamed.workspace))?.id,
    first.id,
    "one without words does not count",
  );
});

test("a session that was used while the clock was ahead stands where it was used, and is the latest again once something is said in it", async () => {
  const aDay = 86_400_000;
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now });
  const say = async (id: string, session: string) => {
    now += 1;
    await state.accept(sampleSignal({ id, session }), 50);
  };
  const latest = async () => (await state.sessions.latest(unnamed.workspace))?.id;
  const [before, ahead, after] = [
    await state.sessions.open(unnamed),
    await state.sessions.open(unnamed),
    await state.sessions.open(unnamed),
  ];
  await say("one", before.id);
  now += 7000 * aDay;
  await say("two", ahead.id);
  now -= 7000 * aDay;
  assert.equal(await latest(), ahead.id, "nothing was said since");
  await say("three", after.id);
  assert.equal(await latest(), after.id);
  const listed = await state.sessions.list(9);
  assert.deepEqual(
    listed.map(({ id }) => id),
    [after.id, ahead.id, before.id],
  );
  assert.ok(listed.every(({ usedAt }) => usedAt <= now));
  await say("four", ahead.id);
  assert.equal(await latest(), ahead.id);
  now += aDay;
  await say("five", before.id);
  assert.equal(await latest(), before.id);
});

test("the focus can be set and taken away; an unknown session is a fault", async () => {
  await using state = await openSampleState(folder());
  const { id } = await state.sessions.open(unnamed);
  assert.equal((await state.sessions.setFocus(id, "node-1")).focus, "node-1");
  assert.equal((await state.sessions.setFocus(id, null)).focus, null);
  await assert.rejects(state.sessions.setFocus("nobody", "x"), /no session nobody/);
});

test("a session in which an unproved client spoke is known to be one, also after a migration, and is not continued", async () => {
  const place = folder();
  const session = await (async () => {
    await using state = await openSampleState(place);
    const opened = await state.sessions.open({ name: null, workspace: "/w", source: "cli" });
    await state.accept({ ...sampleSignal({ session: opened.id }), person: "unproved" }, 10);
    assert.equal(await state.sessions.isUnproved(opened.id), true);
    assert.equal(await state.sessions.isUnproved(await state.forkSession(opened.id)), true);
    return opened;
  })();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE unproved_sessions; PRAGMA user_version = 4");
  database.close();
  await using state = await openSampleState(place);
  assert.equal(await state.sessions.isUnproved(session.id), true);
  assert.equal(await state.sessions.latest("/w"), null);
});
