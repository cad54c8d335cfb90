import { digestOf } from "../../machine/digest.ts";
import type { Label } from "../../signal/label.ts";
import type { JsonObject } from "../../text/json.ts";

/** `own`: the agent's own memory. `files`: what the user's files hold. Each has a root hash. */
export type Realm = "own" | "files";

/** All realms. */
export const realms: readonly Realm[] = ["own", "files"];

/** A node of memory, without its hash. */
export type ObjectDraft = {
  readonly id: string;
  readonly realm: Realm;
  readonly type: string;
  /** Id of the node above, in the same realm. */
  readonly parent: string | null;
  readonly attributes: JsonObject;
  readonly content: string;
  readonly label: Label;
};

/** A node of memory. `hash` is SHA-256 over the canonical JSON of all the rest. */
export type MemoryObject = ObjectDraft & { readonly hash: string };

/** The turn and session that change memory; null for none. */
export type Author = { readonly turn: string | null; readonly session: string | null };

/** A draft that may be stored: secret content is replaced by a marker. */
export function redactObject(draft: ObjectDraft): ObjectDraft {
  if (draft.label.secrecy !== "secret") return draft;
  return { ...draft, content: "", attributes: { "not-kept": "secret" } };
}

/** A draft with its hash. */
export function withHash(draft: ObjectDraft): MemoryObject {
  const { id, realm, type, parent, attributes, content, label } = draft;
  const rest = { id, realm, type, parent, attributes, content, label };
  return { ...rest, hash: digestOf(rest) };
}
