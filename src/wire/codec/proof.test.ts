import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProof, makeNonce, proofOf } from "./proof.ts";

const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
const serverNonce = "a".repeat(64);
const clientNonce = "b".repeat(64);
const mac = proofOf(secret, "client", serverNonce, clientNonce);
const claim = { secret, who: "client", serverNonce, clientNonce, mac } as const;

test("a proof is valid only for its prover, its nonces and its secret", () => {
  assert.equal(checkProof(claim), true);
  assert.equal(checkProof({ ...claim, who: "server" }), false);
  assert.equal(checkProof({ ...claim, serverNonce: clientNonce, clientNonce: serverNonce }), false);
  assert.equal(checkProof({ ...claim, clientNonce: "c".repeat(64) }), false);
  assert.equal(checkProof({ ...claim, secret: new Uint8Array(32) }), false);
});

test("a proof or nonce that is not 64 lower-case hexadecimal digits is wrong", () => {
  for (const wrong of ["", mac.slice(1), `${mac}0`, mac.toUpperCase(), `${mac}\n`, "é".repeat(64)]) {
    assert.equal(checkProof({ ...claim, mac: wrong }), false, wrong);
  }
  for (const nonce of ["", "A".repeat(64), "a".repeat(63), "a".repeat(66)]) {
    const made = proofOf(secret, "client", nonce, clientNonce);
    assert.equal(checkProof({ ...claim, serverNonce: nonce, mac: made }), false, nonce);
  }
});

test("a nonce is 64 lower-case hexadecimal digits and never repeats", () => {
  const nonces = Array.from({ length: 100 }, makeNonce);
  for (const nonce of nonces) assert.match(nonce, /^[0-9a-f]{64}$/);
  assert.equal(new Set(nonces).size, 100);
});
