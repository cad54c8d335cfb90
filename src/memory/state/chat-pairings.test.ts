import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mostPairings } from "./chat-pairings.ts";
import { openState } from "./open-state.ts";

const hour = 3_600_000;

test("a code that lapsed is given anew, one that counts is not, and who waits behind too many others is given one once those lapse", async (t) => {
  const now = { at: 1_000_000_000_000 };
  const clock = () => now.at;
  const folder = mkdtempSync(join(tmpdir(), "chat-pairings-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await using state = await openState({ folder, clock, gates: "none", access: "write" });
  const { pairings } = state.chats;
  const shown = { chat: "", sender: "Olga", kind: "private" };
  const window = { opened: 0, since: 0 };
  const ask = (sender: string, update: string, given = window) =>
    pairings.offer(
      { service: "telegram", chat: sender, sender, shown },
      { code: `C${update}`, update, window: given },
    );
  assert.equal(await ask("1", "1"), true);
  assert.equal(await ask("1", "2"), false);
  assert.equal(await ask("1", "1"), true, "after a kill, the same update is given a code again");
  for (let sender = 2; sender <= mostPairings; sender += 1)
    assert.equal(await ask(`${sender}`, `${100 + sender}`), true);
  assert.equal(await ask("owner", "300"), false);
  now.at += hour;
  assert.equal(await pairings.byCode("telegram", "C1", 0), null);
  assert.equal(await ask("1", "400"), true);
  assert.equal(await ask("owner", "401"), true);
  assert.equal((await pairings.byCode("telegram", "C400", 0))?.sender, "1");
  now.at += 1000;
  assert.equal(await ask("1", "500"), false);
  assert.equal(await ask("1", "501", { opened: now.at, since: 0 }), true, "codes are given again");
  assert.equal((await pairings.byCode("telegram", "C501", 0))?.sender, "1");
  assert.equal((await pairings.byCode("telegram", "C401", 0))?.sender, "owner");
  assert.equal(await pairings.byCode("telegram", "C401", now.at), null, "it was taken back");
  assert.deepEqual(
    (await pairings.open("telegram", now.at)).map(({ sender }) => sender),
    ["1"],
  );
});
