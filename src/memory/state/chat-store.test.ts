import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openState } from "./open-state.ts";

const wanted = { clock: Date.now, gates: "none" };

test("after a restore nothing that waited for a chat is sent, and nothing that came is handled, and both are told", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "chat-store-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await using state = await openState({ folder, ...wanted, access: "write" });
  const { inbox, outbox } = state.chats;
  assert.deepEqual(
    await inbox.unhandled("telegram", { after: 0, most: 10 }),
    [],
    "nothing is made by reading",
  );
  await inbox.keep("telegram", [{ id: "1", body: { text: "hi" } }], "2");
  await inbox.keep("telegram", [{ id: "1", body: { text: "again" } }], "2");
  await outbox.put("telegram", [{ key: "a", chat: "7", body: {} }]);
  await state.restored.set(true);
  assert.deepEqual(await state.endRestored(), ["the sending of 1 message to chats", "1 message from chats"]);
  assert.deepEqual(
    [await inbox.unhandled("telegram", { after: 0, most: 10 }), await outbox.next("telegram")],
    [[], []],
  );
  assert.deepEqual(await outbox.counts("telegram"), { waiting: 0, dead: 1 });
  assert.equal(await inbox.keep("telegram", [{ id: "1", body: {} }], null), 0, "its id stays known");
});
