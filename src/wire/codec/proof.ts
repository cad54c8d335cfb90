import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The end of the wire that proves that it has the secret. */
export type Prover = "client" | "server";

/** A proof, with everything that is needed to check it. */
export type ProofClaim = {
  readonly secret: Uint8Array;
  readonly who: Prover;
  readonly serverNonce: string;
  readonly clientNonce: string;
  /** The proof as it was received. */
  readonly mac: string;
};

const digits = /^[0-9a-f]{64}$/;

/** Makes a nonce for one connection: 32 random bytes as 64 lower-case hexadecimal digits. */
export function makeNonce(): string {
  return randomBytes(32).toString("hex");
}

/** The proof of having the secret (`WIRE.md`, Proof): HMAC-SHA-256 over the prover's name and both nonces, as 64 lower-case hexadecimal digits. */
export function proofOf(secret: Uint8Array, who: Prover, serverNonce: string, clientNonce: string): string {
  return createHmac("sha256", secret)
    .update(`passepartout/1 ${who} ${serverNonce}${clientNonce}`, "ascii")
    .digest("hex");
}

/** Checks a proof in constant time. A nonce or proof that is not 64 lower-case hexadecimal digits is wrong. */
export function checkProof({ secret, who, serverNonce, clientNonce, mac }: ProofClaim): boolean {
  if (![serverNonce, clientNonce, mac].every((text) => digits.test(text))) return false;
  const right = proofOf(secret, who, serverNonce, clientNonce);
  return timingSafeEqual(Buffer.from(right, "hex"), Buffer.from(mac, "hex"));
}
