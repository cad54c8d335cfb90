import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sha256 } from "../../machine/digest.ts";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";
import { changesFlippedByUndo } from "./undo-path.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "changes-"));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function change(state: State, path: string, preImage: string | null): Promise<string> {
  const { turn } = await state.accept(sampleSignal({ id: `signal-${path}` }), 50);
  await state.commit({
    turn: { ...turn, state: "answered" },
    changes: [
      {
        turn: turn.id,
        session: turn.session,
        sequence: 1,
        kind: "file",
        path,
        before: preImage,
        after: sha256(path),
        preImage,
        mode: 0o644,
        undone: false,
      },
    ],
  });
  return turn.id;
}

/** Takes back the changes of a turn, or of a taking back, as far as their records go; gives the id of this taking back. */
async function takeBack(state: State, turn: string): Promise<string> {
  const passed = (await state.changes.ofTurn(turn)).toReversed();
  const id = `back-${turn}`;
  const [last] = passed;
  assert.ok(last !== undefined);
  const record = { ...last, turn: id, before: last.after, after: passed.at(-1)?.before ?? null };
  const [number = 0] = await state.changes.planUndo([record]);
  await state.changes.confirmUndoChange({
    number,
    mode: null,
    undone: true,
    undid: changesFlippedByUndo(passed),
  });
  return id;
}

test("a pre-image comes back byte for byte under its digest", async () => {
  await using state = await openSampleState(folder());
  const old = new Uint8Array([0, 255, 10, 128]);
  const { id, kept } = await state.changes.storePreImage(old);
  assert.equal(id, sha256(old));
  assert.equal(kept, true);
  const found = await state.changes.preImage(id ?? "");
  assert.deepEqual(found.status === "kept" ? [...found.bytes] : found, [0, 255, 10, 128]);
});

test("where there was no file there is no blob, and an unknown blob is missing", async () => {
  await using state = await openSampleState(folder());
  assert.deepEqual(await state.changes.storePreImage(null), { id: null, kept: true });
  assert.equal((await state.changes.preImage("nothing")).status, "missing");
});

test("secret contents are sealed: they come back, and nothing on the disk holds them", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const { id, kept } = await state.changes.storePreImage(bytes("hunter2"), { secrecy: "secret" });
  assert.equal(kept, true);
  const found = await state.changes.preImage(id ?? "");
  assert.equal(found.status === "kept" ? Buffer.from(found.bytes).toString() : "", "hunter2");
  for (const name of readdirSync(place)) {
    assert.equal(readFileSync(join(place, name)).includes("hunter2"), false, name);
  }
});

test("without the key that sealed them secret contents are gone, and an undo is told why", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const { id } = await state.changes.storePreImage(bytes("hunter2"), { secrecy: "secret" });
  rmSync(join(place, "sealing-key"));
  const lost = await state.changes.preImage(id ?? "");
  assert.ok(lost.status === "missing" && lost.reason.includes("sealed"));
  await state.changes.storePreImage(bytes("other"), { secrecy: "secret" });
  assert.equal((await state.changes.preImage(id ?? "")).status, "missing");
});

test("undo takes the session's latest change set that is not undone", async () => {
  await using state = await openSampleState(folder());
  assert.equal(await state.changes.latestTurnWithChanges("session-1"), null);
  const first = await change(state, "/a", null);
  const second = await change(state, "/b", null);
  assert.equal(await state.changes.latestTurnWithChanges("session-1"), second);
  await takeBack(state, second);
  assert.equal(await state.changes.latestTurnWithChanges("session-1"), first);
  assert.equal((await state.changes.ofTurn(second))[0]?.undone, true);
  assert.equal((await state.changes.ofTurn(first))[0]?.undone, false);
});

test("what a taking back begins is kept before it is made, and undoes nothing until it is", async () => {
  await using state = await openSampleState(folder());
  const turn = await change(state, "/a", null);
  const [made] = await state.changes.ofTurn(turn);
  assert.ok(made !== undefined);
  const record = { ...made, turn: "undo-1", before: made.after, after: made.before, undone: false };
  const [number] = await state.changes.planUndo([record]);
  assert.deepEqual(
    (await state.changes.since(made.number)).map((kept) => [kept.number, kept.undone]),
    [[number, true]],
  );
  assert.equal(await state.changes.latestTurnWithChanges("session-1"), turn);
});

test("a taking back that is itself taken back brings again what it undid", async () => {
  await using state = await openSampleState(folder());
  const turn = await change(state, "/a", null);
  const first = await takeBack(state, turn);
  assert.equal((await state.changes.ofTurn(turn))[0]?.undone, true);
  await takeBack(state, first);
  assert.equal((await state.changes.ofTurn(turn))[0]?.undone, false);
  assert.equal((await state.changes.ofTurn(first))[0]?.undone, true);
  assert.equal(await state.changes.latestTurnWithChanges("session-1"), turn);
});

test("over the quota only a blob goes that no undo needs; the others stay until the owner lets them go", async () => {
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now, quotas: { blobBytes: 32 } });
  const keep = async (text: string, drops: readonly string[] = []) =>
    state.changes.storePreImage(bytes(text), { drops });
  const status = async (text: string): Promise<string> =>
    (await state.changes.preImage(sha256(bytes(text)))).status;
  const [referred, loose, second, third, fourth] = ["a", "b", "c", "d", "e"].map((sign) => sign.repeat(10));
  assert.ok(referred && loose && second && third && fourth);
  await keep(referred);
  await change(state, "/a", sha256(bytes(referred)));
  now += 1;
  await keep(loose);
  now += 1;
  await keep(second);
  await change(state, "/c", sha256(bytes(second)));
  now += 3_600_001;
  await keep(third);
  assert.equal(await status(loose), "evicted");
  assert.equal(await status(referred), "kept");
  await change(state, "/d", sha256(bytes(third)));
  now += 3_600_001;
  assert.equal((await keep(fourth)).kept, false);
  assert.deepEqual(
    [await status(referred), await status(second), await status(third)],
    ["kept", "kept", "kept"],
  );
  const request = { bytes: bytes(fourth), path: "/e", session: "session-1" };
  const drops = await state.changes.planPreImage(request);
  assert.deepEqual(drops, [{ id: sha256(bytes(referred)), paths: ["/a"] }]);
  assert.equal(
    (
      await keep(
        fourth,
        drops.map(({ id }) => id),
      )
    ).kept,
    true,
  );
  assert.deepEqual(
    [await status(referred), await status(second), await status(fourth)],
    ["evicted", "kept", "kept"],
  );
});

test("what is larger than the quota is not kept and drives nothing out", async () => {
  await using state = await openSampleState(folder(), { quotas: { blobBytes: 10 } });
  const small = await state.changes.storePreImage(bytes("small"));
  const large = await state.changes.storePreImage(bytes("x".repeat(11)));
  assert.equal(large.kept, false);
  assert.equal((await state.changes.preImage(small.id ?? "")).status, "kept");
  const found = await state.changes.preImage(large.id ?? "");
  assert.ok(found.status === "evicted" && found.reason.includes("larger"));
});

test("the sets that an undo or a redo needs are those of commands that stand, of undos, and of what an undo took back; not of what was never made", async () => {
  await using state = await openSampleState(folder());
  const command = (set: string) => ({ turn: set, session: "s", workspace: "/w", set });
  for (const set of ["standing", "undone", "dropped"]) await state.changes.recordCommand(command(set));
  await state.changes.dropCommand("dropped");
  const [undone] = await state.changes.ofTurn("undone");
  assert.ok(undone !== undefined);
  const [number = 0] = await state.changes.planUndo([
    { ...undone, turn: "undo", preImage: "undo", undone: true },
  ]);
  await state.changes.confirmUndoChange({ number, mode: null, undone: true, undid: [undone.number] });
  const needed = await state.changes.neededCommands();
  assert.deepEqual([...needed.keys()].sort(), ["standing", "undo", "undone"]);
  assert.equal(needed.get("undo"), "/w");
});
