import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";
import { startCommand } from "./live-command.ts";

test("SIGTERM ends a command that serves another one, though the other has not left", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang", repeat: true }]);
  const host = startCommand(t, world, ["ask", "--session", "a", "one"]);
  await world.provider.reached(1);
  const client = startCommand(t, world, ["ask", "--session", "b", "two"]);
  await world.provider.reached(2);
  host.signal("SIGTERM");
  assert.equal((await host.end).code, 1);
  client.signal("SIGTERM");
  const { err } = await client.end;
  assert.match(err, /Unfinished work is saved and continues at the next start\./);
  assert.equal(existsSync(`${world.state}/run/passepartout.sock`), false);
});

for (const [how, leave] of [
  ["/exit", (host: ReturnType<typeof startCommand>) => host.type("/exit\n")],
  ["the end of its input", (host: ReturnType<typeof startCommand>) => host.hangUp()],
] as const) {
  test(`${how} of a conversation that others joined ends its own part, and they go on until the last has left`, async (t) => {
    const world = await makeWorld(t, [{ text: "Still here." }]);
    const host = startCommand(t, world, ["cli"]);
    await host.printed(/\/help lists/);
    const guest = startCommand(t, world, ["cli"]);
    await guest.printed(/with the daemon/);
    leave(host);
    await host.printed(/Other commands still use this process\. Ctrl-C ends it for them too\./);
    guest.type("are you there?\n");
    await guest.printed(/Still here\./);
    guest.type("/exit\n");
    assert.equal((await guest.end).code, 0);
    const { code, err } = await host.end;
    assert.equal(code, 0);
    assert.equal(err.split("Other commands still use this process").length, 2);
  });
}

test("Ctrl-C ends a conversation that waits for the others to leave, in order", async (t) => {
  const world = await makeWorld(t);
  const host = startCommand(t, world, ["cli"]);
  await host.printed(/\/help lists/);
  const guest = startCommand(t, world, ["cli"]);
  await guest.printed(/with the daemon/);
  host.type("/exit\n");
  await host.printed(/Other commands still use this process/);
  host.signal("SIGINT");
  assert.equal((await host.end).code, 0);
  assert.equal(existsSync(`${world.state}/run/passepartout.sock`), false);
});
