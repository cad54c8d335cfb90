import assert from "node:assert/strict";
import { test } from "node:test";
import { makeNonce, proofOf } from "../codec/proof.ts";
import {
  connectPeer,
  errorOf,
  openTestServer,
  payloadOf,
  proofFor,
  userInputWithId,
} from "./wire.fixture.ts";

for (const [name, spoil] of [
  ["of another secret", (mac: string) => mac.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
  ["in upper case", (mac: string) => mac.toUpperCase().replace(/^[0-9]+/, "A")],
  ["that is too short", (mac: string) => mac.slice(1)],
  ["that is empty", () => ""],
] as const) {
  test(`a proof ${name} is refused, and nobody hears what follows it`, async (t) => {
    const at = await openTestServer(t);
    const peer = connectPeer(t, { path: at.socketPath });
    const proof = proofFor(await peer.next(), at.secret);
    const { payload } = proof;
    peer.send({ ...proof, payload: { ...payload, mac: spoil(String(payload["mac"])) } });
    peer.send(userInputWithId("w", "let me in"));
    assert.deepEqual((await peer.rest()).map(errorOf), ["wrong-proof"]);
    assert.deepEqual([at.greeted, at.heard], [[], []]);
  });
}

test("a proof made with the prover name of the daemon is refused", async (t) => {
  const at = await openTestServer(t);
  const peer = connectPeer(t, { path: at.socketPath });
  const server = String(payloadOf(await peer.next())["nonce"]);
  const nonce = makeNonce();
  const mac = proofOf(at.secret, "server", server, nonce);
  peer.send({ type: "request", meta: { source: "tui" }, payload: { action: "authenticate", nonce, mac } });
  assert.deepEqual((await peer.rest()).map(errorOf), ["wrong-proof"]);
});

test("a proof is valid once: repeated on its own or another connection it is refused", async (t) => {
  const at = await openTestServer(t);
  const first = connectPeer(t, { path: at.socketPath });
  const proof = proofFor(await first.next(), at.secret);
  first.send(proof);
  assert.equal(payloadOf(await first.next())["action"], "authenticated");
  const second = connectPeer(t, { path: at.socketPath });
  await second.next();
  second.send(proof);
  assert.deepEqual((await second.rest()).map(errorOf), ["wrong-proof"]);
  first.send(proof);
  assert.deepEqual((await first.rest()).map(errorOf), ["late-proof"]);
  assert.equal(at.greeted.length, 1);
});

test("if proof is enforced, a message without it is refused", async (t) => {
  const at = await openTestServer(t);
  const peer = connectPeer(t, { path: at.socketPath });
  await peer.next();
  peer.send(userInputWithId("w", "hello"));
  assert.deepEqual((await peer.rest()).map(errorOf), ["unproved"]);
  assert.deepEqual(at.heard, []);
});

test("if proof is not enforced, a client converses unproved, without a workspace and with the source of its first message", async (t) => {
  const at = await openTestServer(t, { enforceProof: false });
  const peer = connectPeer(t, { path: at.socketPath });
  await peer.next();
  peer.send({ ...userInputWithId("w1", "hello"), meta: { source: "emacs", capabilities: ["stream"] } });
  await peer.next();
  peer.send({ ...userInputWithId("w2", "again"), meta: { source: "tui" } });
  await peer.next();
  assert.partialDeepStrictEqual(at.greeted, [
    { proved: false, source: "emacs", capabilities: ["stream"], workspace: null },
  ]);
  peer.send(proofFor({ payload: { nonce: "0" } }, at.secret));
  assert.deepEqual((await peer.rest()).map(errorOf), ["late-proof"]);
});

test("a client without a source is cli, and an unknown source is refused", async (t) => {
  const at = await openTestServer(t);
  const nameless = connectPeer(t, { path: at.socketPath });
  const { type, payload } = proofFor(await nameless.next(), at.secret);
  nameless.send({ type: type ?? "", payload });
  await nameless.next();
  assert.equal(at.greeted[0]?.source, "cli");
  const other = connectPeer(t, { path: at.socketPath });
  other.send({ ...proofFor(await other.next(), at.secret), meta: { source: "telegram" } });
  assert.deepEqual((await other.rest()).map(errorOf), ["source"]);
});

test("a client with another protocol is told so and disconnected", async (t) => {
  const at = await openTestServer(t);
  const peer = connectPeer(t, { path: at.socketPath });
  peer.send(proofFor(await peer.next(), at.secret, { protocol: 2 }));
  assert.deepEqual((await peer.rest()).map(errorOf), ["other-protocol"]);
});

test("a workspace that is not the absolute path of an existing folder is refused", async (t) => {
  const at = await openTestServer(t);
  for (const workspace of [
    "work",
    "./work",
    "",
    "/work\0/x",
    "/no/such/folder",
    `${process.execPath}`,
    `${process.execPath}/x`,
  ]) {
    const peer = connectPeer(t, { path: at.socketPath });
    peer.send(proofFor(await peer.next(), at.secret, { workspace }));
    assert.deepEqual((await peer.rest()).map(errorOf), ["workspace"]);
  }
});
