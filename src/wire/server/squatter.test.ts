import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { openWatchedClient, secretOf, textsOf, userInputWithoutId } from "../client/client.fixture.ts";
import { daemonCodec } from "../codec/codec.ts";
import { frame } from "../codec/frame.ts";
import { wireLimits } from "../codec/limits.ts";
import { makeNonce } from "../codec/proof.ts";
import { makeFolder, openTestServer, waitUntil } from "./wire.fixture.ts";

/** Somebody who holds the socket and answers each frame-like lump of bytes with what `act` says. Gives what came. */
async function squat(
  t: TestContext,
  socketPath: string,
  act: (socket: Socket, received: string) => void,
): Promise<{
  readonly server: NetServer;
  readonly received: () => string;
  readonly leave: () => Promise<void>;
}> {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    act(socket, "");
    socket.on("data", (bytes) => {
      got.push(String(bytes));
      act(socket, String(bytes));
    });
  });
  server.listen(socketPath);
  await once(server, "listening");
  const leave = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.after(leave);
  return { server, received: () => got.join(""), leave };
}

const daemonSays = (message: JsonObject): string => frame(daemonCodec.encode(message));
const greeting = (given: JsonObject = {}): string =>
  daemonSays({
    type: "event",
    payload: {
      action: "handshake",
      version: "1.2.3",
      protocol: 1,
      capabilities: ["auth"],
      nonce: makeNonce(),
      ...given,
    },
  });

for (const [name, code, act] of [
  [
    "does not know the secret",
    "not-our-daemon",
    (socket, got) =>
      socket.write(
        got === ""
          ? greeting()
          : daemonSays({ type: "response", payload: { action: "authenticated", mac: makeNonce() } }),
      ),
  ],
  [
    "sends the client's own proof back",
    "not-our-daemon",
    (socket, got) => {
      const mac = /:MAC "([0-9a-f]+)"/.exec(got)?.[1] ?? "";
      socket.write(
        got === "" ? greeting() : daemonSays({ type: "response", payload: { action: "authenticated", mac } }),
      );
    },
  ],
  [
    "skips its proof and sends a message",
    "not-our-daemon",
    (socket, got) =>
      socket.write(
        got === "" ? greeting() : daemonSays({ type: "status", payload: { action: "accepted", id: "id1" } }),
      ),
  ],
  [
    "greets without a nonce",
    "not-our-daemon",
    (socket, got) => got === "" && socket.write(greeting({ nonce: "" })),
  ],
  ["speaks another protocol", "other-protocol", (socket) => socket.write(greeting({ protocol: 2 }))],
  ["speaks another language", "not-our-daemon", (socket) => socket.write("220 mail.example.org ESMTP\r\n")],
  ["says nothing", "silent", () => {}],
  ["sends more than a greeting needs", "not-our-daemon", (socket) => socket.write("FFFFFF(")],
] as const satisfies readonly (readonly [string, string, (socket: Socket, got: string) => void])[]) {
  test(`a program on the socket that ${name} gets no message; the daemon gets it later`, async (t) => {
    const socketPath = join(makeFolder(t), "passepartout.sock");
    const secret = randomBytes(32);
    const squatter = await squat(t, socketPath, act);
    const limits = { ...wireLimits, proofMilliseconds: 300, lingerMilliseconds: 200 };
    const { client, of } = openWatchedClient(t, { socketPath, secret: secretOf(secret), limits });
    client.send(userInputWithoutId("my secret plan"));
    await waitUntil(() => of("waiting").length > 0);
    assert.equal(of("waiting")[0]?.code, code);
    assert.deepEqual([of("ready"), of("accepted")], [[], []]);
    assert.doesNotMatch(squatter.received(), /secret plan|USER-INPUT/i);
    await squatter.leave();
    const at = await openTestServer(t, { socketPath, secret });
    await waitUntil(() => of("accepted").length === 1);
    assert.deepEqual(textsOf(at.heard), ["my secret plan"]);
  });
}
