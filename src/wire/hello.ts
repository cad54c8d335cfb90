import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject } from "../signal/json.ts";
import type { WireError } from "./channel.ts";

/** The kinds of clients that connect. */
export type ClientSource = "cli" | "tui" | "emacs";

/** What a client's first message says about it. `proof` is null where it is no proof; only with one is there a workspace. */
export type Hello =
  | {
      readonly ok: true;
      readonly source: ClientSource;
      readonly capabilities: readonly string[];
      readonly workspace: string | null;
      readonly proof: { readonly clientNonce: string; readonly mac: string } | null;
    }
  | { readonly ok: false; readonly error: WireError };

const sources: ReadonlyMap<string, ClientSource> = new Map(
  (["cli", "tui", "emacs"] as const).map((source) => [source, source]),
);

/** Reads a first message (health checks aside). A source not named is `cli`; an unknown one, another protocol or a workspace that is no absolute path is refused. */
export function readHello(message: JsonObject, protocol: number): Hello {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
  const proves = message["type"] === "request" && payload["action"] === "authenticate";
  const spoken = (proves ? payload["protocol"] : undefined) ?? meta["protocol"] ?? protocol;
  if (spoken !== protocol) {
    return refuse(
      "other-protocol",
      `This daemon speaks protocol ${protocol} and the client ${JSON.stringify(spoken)}: install the same version of both.`,
    );
  }
  const named = meta["source"] ?? "cli";
  const source = sources.get(typeof named === "string" ? named.toLowerCase() : "");
  if (source === undefined) {
    return refuse("source", `A client's :SOURCE is one of ${[...sources.keys()].join(", ")}.`);
  }
  const listed = (proves ? payload["capabilities"] : meta["capabilities"]) ?? [];
  const capabilities = Array.isArray(listed) ? listed.map((name) => String(name).toLowerCase()) : [];
  if (!proves) return { ok: true, source, capabilities, workspace: null, proof: null };
  const { nonce, mac, workspace = null } = payload;
  if (typeof nonce !== "string" || typeof mac !== "string") {
    return refuse(
      "wrong-proof",
      "A proof has a :NONCE and a :MAC, each of 64 lower-case hexadecimal digits.",
    );
  }
  if (workspace !== null && !isFolder(workspace)) {
    return refuse("workspace", "The :WORKSPACE of a proof is the absolute path of a folder.");
  }
  return { ok: true, source, capabilities, workspace, proof: { clientNonce: nonce, mac } };
}

function isFolder(value: unknown): value is string {
  return typeof value === "string" && isAbsolute(value) && !value.includes("\0");
}

function refuse(code: string, text: string): Hello {
  return { ok: false, error: { code, text } };
}
