import assert from "node:assert/strict";
import { test } from "node:test";
import { explanation, makeWorld, sent } from "../agent-world.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { listenTo, metaOf, textOf } from "./wire-client.ts";

const message = (channel: string, text: string) =>
  `(:TYPE :REQUEST :TARGET :${channel.toUpperCase()} :PAYLOAD (:ACTION :MESSAGE :TEXT "${text}" :EXPLANATION "${explanation}"))`;

test("the command line, the terminal and Emacs are actuators: each is told what a form names it for in a turn of its own, and in no other", async (t) => {
  const channels = ["cli", "tui", "emacs"] as const;
  const world = await makeWorld(
    t,
    channels.flatMap((channel, at) => {
      const other = channels[(at + 1) % channels.length] ?? "cli";
      return [
        { text: message(channel, `To ${channel} itself.`) },
        { text: message(other, `Past ${channel}.`) },
        { text: `Not over ${other}.` },
      ];
    }),
    { LOOP_TOOLS: "false" },
  );
  const daemon = await serveDaemon(world);
  for (const [at, channel] of channels.entries()) {
    const other = channels[(at + 1) % channels.length] ?? "cli";
    const client = listenTo(t, world, daemon, { source: channel });
    await client.say(`session-${channel}`, "tell me");
    const told = await client.message((one) => textOf(one) === `To ${channel} itself.`);
    assert.deepEqual([told["type"], metaOf(told)["source"]], ["response", channel]);
    await client.say(`session-${channel}`, "tell the others");
    await client.message((one) => textOf(one) === `Not over ${other}.`);
    assert.match(sent(world, 3 * at + 2), new RegExp(`There is no target .{1,4}${other}`));
    assert.ok(client.messages.every((one) => !textOf(one).includes(`Past ${channel}.`)));
  }
});
