import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { WireError } from "../channel/channel.ts";
import { checkProof, proofOf } from "../codec/proof.ts";
import { type ClientSource, wireProtocol } from "../codec/protocol.ts";

/** Who a client is, by its first message. */
export type ClientIdentity = {
  readonly proved: boolean;
  readonly source: ClientSource;
  /** In lower case. */
  readonly capabilities: readonly string[];
  /** An absolute path, only from a proof; links in it are not resolved yet. */
  readonly workspace: string | null;
  /** The process that an editor says it is, only from a proof; null for every other client. */
  readonly editor: EditorProcess | null;
};

/** A process, by its number and the name of its machine. */
export type EditorProcess = { readonly pid: number; readonly host: string };

/** Whether a client is admitted. `proof` is the daemon's answer to the client's proof; null if the client did not prove itself. */
export type Admission =
  | { readonly ok: true; readonly identity: ClientIdentity; readonly proof: string | null }
  | { readonly ok: false; readonly error: WireError };

/** What a first message is checked against. `nonce` is the nonce of this connection's handshake. */
export type AdmissionParts = {
  readonly secret: Uint8Array;
  readonly nonce: string;
  readonly enforceProof: boolean;
};

const sources: ReadonlyMap<string, ClientSource> = new Map(
  (["cli", "tui", "emacs"] as const).map((source) => [source, source]),
);

/** Checks a client's first message (health checks aside). A missing source is `cli`. An unknown source, another protocol, a wrong proof and a workspace that is not the absolute path of a folder are refused; so is a message without a proof, if proof is enforced. */
export function admit(message: JsonObject, parts: AdmissionParts): Admission {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
  const proves = isProofRequest(message);
  const protocol = (proves ? payload["protocol"] : undefined) ?? meta["protocol"] ?? wireProtocol;
  if (protocol !== wireProtocol) {
    const text = `This daemon speaks protocol ${wireProtocol} and the client ${JSON.stringify(protocol)}: install the same version of both.`;
    return refuse("other-protocol", text);
  }
  const named = meta["source"] ?? "cli";
  const source = sources.get(typeof named === "string" ? named.toLowerCase() : "");
  if (source === undefined) {
    return refuse("source", `The :SOURCE of a client must be one of: ${[...sources.keys()].join(", ")}.`);
  }
  if (proves) return admitProof(payload, source, parts);
  if (parts.enforceProof) return refuse("unproved", unproved);
  const capabilities = wordsOf(meta["capabilities"]);
  return {
    ok: true,
    identity: { proved: false, source, capabilities, workspace: null, editor: null },
    proof: null,
  };
}

/** Whether a message is meant to prove its sender. */
export function isProofRequest({ type, payload }: JsonObject): boolean {
  return type === "request" && isJsonObject(payload) && payload["action"] === "authenticate";
}

const unproved =
  "This daemon accepts messages only from a client that has proved itself. Send :AUTHENTICATE first, with a proof made from the secret in the state folder.";
const wrongProof =
  "The proof is wrong. Make it from the secret in this daemon's state folder and the nonces of this connection.";

function admitProof(payload: JsonObject, source: ClientSource, { secret, nonce }: AdmissionParts): Admission {
  const { nonce: clientNonce, mac, workspace = null, host } = payload;
  if (typeof clientNonce !== "string" || typeof mac !== "string") return refuse("wrong-proof", wrongProof);
  if (!checkProof({ secret, who: "client", serverNonce: nonce, clientNonce, mac })) {
    return refuse("wrong-proof", wrongProof);
  }
  if (workspace !== null && (typeof workspace !== "string" || !isFolder(workspace))) {
    return refuse("workspace", "The :WORKSPACE of a proof must be the absolute path of an existing folder.");
  }
  const capabilities = wordsOf(payload["capabilities"]);
  const pid = payload["process"];
  const editor = typeof pid === "number" && typeof host === "string" ? { pid, host } : null;
  const identity = { proved: true, source, capabilities, workspace, editor };
  return { ok: true, identity, proof: proofOf(secret, "server", nonce, clientNonce) };
}

function wordsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
}

function refuse(code: string, text: string): Admission {
  return { ok: false, error: { code, text } };
}

/** Whether a path is absolute and names a folder that this process can see. */
function isFolder(path: string): boolean {
  if (!isAbsolute(path) || path.includes("\0")) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
