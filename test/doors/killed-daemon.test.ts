import assert from "node:assert/strict";
import { test } from "node:test";
import { onDatabase } from "../agent-world.ts";
import { type DaemonProcess, startDaemon } from "../daemon/daemon-process.ts";
import { givePassphrase } from "../vault-world.ts";
import { makeChatWorld, passphrase, until } from "./chat-world.ts";

/** Words that are said, and at how many answers the daemon is killed. */
const count = 24;
const kills = [3, 9, 17];

test("a daemon that gets kill -9 while it answers a chat answers everything once after its next starts", async (t) => {
  const { world, fake } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  const settings = givePassphrase(world, passphrase);
  for (let index = 0; index < count; index += 1) fake.say(`question ${index}`);
  let daemon: DaemonProcess = await startDaemon(t, world, { settings });
  for (const answers of kills) {
    await until(`${answers} answers`, () => fake.said().length >= answers);
    daemon.signal("SIGKILL");
    await daemon.end;
    daemon = await startDaemon(t, world, { settings });
  }
  const open =
    "SELECT 1 FROM chat_inbox WHERE state IN ('new', 'begun') UNION ALL SELECT 1 FROM chat_outbox WHERE state IN ('waiting', 'sending')";
  await until("all is answered", () => fake.said().length >= count && onDatabase(world, open).length === 0);
  const turns = onDatabase(world, "SELECT state, count(*) AS times FROM turns GROUP BY state");
  t.diagnostic(JSON.stringify(turns));
  assert.equal(fake.said().length, count);
  assert.deepEqual(
    turns.map((row) => ({ ...row })),
    [{ state: "answered", times: count }],
  );
  daemon.signal("SIGTERM");
  await daemon.end;
});
