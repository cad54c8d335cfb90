import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sha256 } from "../../machine/digest.ts";
import type { AttachedText } from "../../signal/attachment.ts";
import { bottomLabel } from "../../signal/label.ts";
import { openDatabase } from "../storage/database.ts";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const session = "session-1";
const me = { turn: null, session: null };

function file(words: string): { readonly attached: AttachedText; readonly bytes: Uint8Array } {
  const bytes = Buffer.from(words);
  const about = { digest: sha256(bytes), name: "a.txt", path: "/a.txt", media: "text/plain" } as const;
  return { attached: { file: { ...about, bytes: bytes.length }, text: words, label: bottomLabel }, bytes };
}

test("a state of version 10 is migrated, and no file came with its words", async () => {
  const place = join(root, "version-10");
  await (await openSampleState(place))[Symbol.asyncDispose]();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE attachments; PRAGMA user_version = 10");
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 10 to /);
  assert.equal(await state.attachments.find(session, "0".repeat(64)), null);
});

test("files have a quarter of the room for blobs: the oldest go, and what an undo needs stays", async () => {
  await using state = await openSampleState(join(root, "room"), { quotas: { blobBytes: 4_000 } });
  await state.changes.storePreImage(Buffer.from("u".repeat(900)), { path: "/u" });
  const files = ["a", "b", "c"].map((letter) => file(letter.repeat(400)));
  for (const { attached, bytes } of files) assert.ok(await state.attachments.keep(session, attached, bytes));
  const kept = await Promise.all(files.map(({ attached }) => state.attachments.bytes(attached.file.digest)));
  assert.deepEqual(
    kept.map((bytes) => bytes !== null),
    [false, true, true],
  );
  assert.equal((await state.changes.preImage(sha256(Buffer.from("u".repeat(900))))).status, "kept");
  const large = file("x".repeat(1_001));
  assert.equal(await state.attachments.keep(session, large.attached, large.bytes), false);
});

test("a file that no words came for is gone after a day; one of a turn stays, also in a fork whose session is forgotten", async () => {
  const place = join(root, "unsaid");
  let now = noon;
  await using state = await openSampleState(place, { clock: () => now });
  const { id: session } = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const [said, unsaid] = [file("said"), file("unsaid")];
  for (const { attached, bytes } of [said, unsaid]) await state.attachments.keep(session, attached, bytes);
  const message = await state.attachments.find(session, said.attached.file.digest);
  assert.ok(message !== null);
  const { turn } = await state.accept(sampleSignal({ session }), 50, [message]);
  assert.deepEqual(turn.messages.at(-1), message);
  assert.deepEqual((await state.turns.get(turn.id))?.messages, turn.messages);
  for (const _ of [1, 2]) {
    now += 86_400_000;
    await state.prune();
  }
  now += 1;
  await state.prune();
  assert.equal(await state.attachments.bytes(unsaid.attached.file.digest), null);
  assert.notEqual(await state.attachments.bytes(said.attached.file.digest), null);
  await state.commit({ turn: { ...turn, state: "stopped", text: "", code: "stopped" } });
  const fork = await state.forkSession(session);
  await state.forgetSession({ session: session, grown: null });
  assert.notEqual(await state.attachments.bytes(said.attached.file.digest), null);
  await state.forgetSession({ session: fork, grown: null });
  assert.equal(await state.attachments.bytes(said.attached.file.digest), null);
  await state.forget({ id: "none", files: [], versions: [], edits: [], grown: null }, me);
});
