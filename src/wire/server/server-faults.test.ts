import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import {
  acceptMessage,
  connectPeer,
  connectProved,
  errorOf,
  openTestServer,
  payloadOf,
  proofFor,
  userInputWithId,
  waitUntil,
} from "./wire.fixture.ts";

const health: JsonObject = { type: "health-check" };

test("a fault while handling a message ends its connection with a reason, is reported, and affects no other client", async (t) => {
  const at = await openTestServer(t, {
    message: (connection, message) => {
      if (message["id"] === "bad") throw new Error("disk on fire");
      acceptMessage(connection, message);
    },
  });
  const one = await connectProved(t, at);
  const two = await connectProved(t, at);
  one.send(userInputWithId("bad", "x"));
  assert.deepEqual((await one.rest()).map(errorOf), ["fault"]);
  assert.match(at.reported.join(), /disk on fire/);
  two.send(userInputWithId("good", "y"));
  assert.equal(payloadOf(await two.next())["id"], "good");
});

test("a fault while admitting or forgetting a client is reported, and the server goes on", async (t) => {
  const at = await openTestServer(t, {
    handler: {
      hello: ({ source }) => assert.equal(source, "emacs", "no greeting"),
      message: () => {},
      closed: () => assert.fail("no leave"),
    },
  });
  const refused = connectPeer(t, { path: at.socketPath });
  refused.send(proofFor(await refused.next(), at.secret));
  assert.deepEqual((await refused.rest()).slice(1).map(errorOf), ["fault"]);
  await waitUntil(() => at.reported.length === 2);
  assert.match(at.reported.join(), /no greeting.*no leave/s);
  assert.equal(at.server.connections(), 0);
});

test("a health check that throws is reported as unknown", async (t) => {
  const at = await openTestServer(t, {
    health: () => {
      throw new Error("no idea");
    },
  });
  const peer = connectPeer(t, { path: at.socketPath });
  await peer.next();
  peer.send(health);
  assert.deepEqual(await peer.next(), { type: "health-response", status: "unknown", "checked-p": false });
  assert.match(at.reported.join(), /no idea/);
});
