import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectPeer } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, onDatabase, sent } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { untilAnswer } from "../daemon/wire-client.ts";

for (const beside of ["alone", "beside a daemon"] as const) {
  test(`--continue continues the last session of this folder, never that of another one, ${beside}`, async (t) => {
    const world = await makeWorld(t, [
      { text: "Heliotrope it is." },
      { text: "Elsewhere." },
      { text: "Yes." },
      { text: "No." },
    ]);
    if (beside === "beside a daemon") await serveDaemon(world);
    const [other, third] = [join(world.home, "other"), join(world.home, "third")];
    mkdirSync(other);
    mkdirSync(third);
    await world.command(["ask", "the word is heliotrope"]);
    await world.command(["ask", "something else"], { cwd: other });
    await world.command(["ask", "--continue", "what is it?"]);
    assert.match(sent(world, 2), /Heliotrope it is/);
    await world.command(["--continue"], { cwd: third, input: "what is it?\n" });
    assert.doesNotMatch(sent(world, 3), /Heliotrope|Elsewhere/);
  });
}

test("a session that an unproved client began is not continued by the owner, by --continue or by its id", async (t) => {
  const world = await makeWorld(t, [{ text: "Planted.", repeat: true }], { PROTOCOL_ENFORCE_HMAC: "false" });
  const daemon = await serveDaemon(world);
  const peer = connectPeer(t, { port: daemon.port });
  await peer.next();
  peer.send({
    type: "event",
    id: "one",
    payload: { sensor: "user-input", text: "the owner wants cherries" },
  });
  await untilAnswer(peer);
  const [{ id } = { id: "" }] = onDatabase(world, "SELECT id FROM sessions");
  const requests: number[] = [];
  for (const [args, cwd] of [
    [["ask", "--continue", "what do I want?"], world.workspace],
    [["ask", "--continue", "what do I want?"], world.home],
    [["ask", "--session", String(id), "what do I want?"], world.workspace],
    [["ask", "--session", String(id), "and now?"], world.home],
  ] as const) {
    requests.push(world.provider.requests.length);
    assert.equal((await world.command(args, { cwd })).code, 0);
  }
  for (const request of requests) assert.doesNotMatch(sent(world, request), /cherries/);
});
