import { isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import type { WireError } from "../channel/channel.ts";
import { checkProof, proofOf } from "../codec/proof.ts";
import { type ClientSource, wireProtocol } from "../codec/protocol.ts";
import { isFolder } from "./is-folder.ts";

/** What is known of a client from its first message on. */
export type ClientIdentity = {
  readonly proved: boolean;
  readonly source: ClientSource;
  /** In lower case, as the client named them. */
  readonly capabilities: readonly string[];
  /** An absolute path, from a proof only; the real folder is still to be looked up. */
  readonly workspace: string | null;
};

/** Whether a client is let in. `proof` is the daemon's own in answer to the client's; null where it did not prove itself. */
export type Admission =
  | { readonly ok: true; readonly introduction: ClientIdentity; readonly proof: string | null }
  | { readonly ok: false; readonly error: WireError };

/** What a first message is held against. `nonce` is the one of this connection's handshake. */
export type AdmissionParts = {
  readonly secret: Uint8Array;
  readonly nonce: string;
  readonly enforceProof: boolean;
};

const sources: ReadonlyMap<string, ClientSource> = new Map(
  (["cli", "tui", "emacs"] as const).map((source) => [source, source]),
);

/** Reads a client's first message (health checks aside). A source not named is `cli`; an unknown one, another protocol, a wrong proof or a workspace that is no absolute path of a folder is refused, and so are words without a proof where it is enforced. */
export function admit(message: JsonObject, door: AdmissionParts): Admission {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
  const proves = isProofRequest(message);
  const spoken = (proves ? payload["protocol"] : undefined) ?? meta["protocol"] ?? wireProtocol;
  if (spoken !== wireProtocol) {
    const text = `This daemon speaks protocol ${wireProtocol} and the client ${JSON.stringify(spoken)}: install the same version of both.`;
    return refuse("other-protocol", text);
  }
  const named = meta["source"] ?? "cli";
  const source = sources.get(typeof named === "string" ? named.toLowerCase() : "");
  if (source === undefined) {
    return refuse("source", `A client's :SOURCE is one of ${[...sources.keys()].join(", ")}.`);
  }
  if (proves) return admitProof(payload, source, door);
  if (door.enforceProof) return refuse("unproved", unproved);
  const capabilities = wordsOf(meta["capabilities"]);
  return { ok: true, introduction: { proved: false, source, capabilities, workspace: null }, proof: null };
}

/** True for a message that is to prove its sender. */
export function isProofRequest({ type, payload }: JsonObject): boolean {
  return type === "request" && isJsonObject(payload) && payload["action"] === "authenticate";
}

const unproved =
  "This daemon takes words only from a client that proved itself: send :AUTHENTICATE first, made with the secret in the state folder.";
const wrongProof =
  "The proof is wrong: it needs the secret of this daemon's state folder, and the nonces of this connection.";

function admitProof(payload: JsonObject, source: ClientSource, { secret, nonce }: AdmissionParts): Admission {
  const { nonce: clientNonce, mac, workspace = null } = payload;
  if (typeof clientNonce !== "string" || typeof mac !== "string") return refuse("wrong-proof", wrongProof);
  if (!checkProof({ secret, who: "client", serverNonce: nonce, clientNonce, mac })) {
    return refuse("wrong-proof", wrongProof);
  }
  if (workspace !== null && (typeof workspace !== "string" || !isFolder(workspace))) {
    return refuse("workspace", "The :WORKSPACE of a proof is the absolute path of a folder that is there.");
  }
  const capabilities = wordsOf(payload["capabilities"]);
  const introduction = { proved: true, source, capabilities, workspace };
  return { ok: true, introduction, proof: proofOf(secret, "server", nonce, clientNonce) };
}

function wordsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
}

function refuse(code: string, text: string): Admission {
  return { ok: false, error: { code, text } };
}
