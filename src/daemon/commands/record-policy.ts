import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";

/** Journals what changed in what is allowed since it was last looked at, whoever changed it, and by whatever way. */
export type RecordPolicy = (session?: string) => Promise<void>;

/** What recording the policy needs. */
export type RecordPolicyParts = {
  readonly state: Pick<State, "recordedPolicy">;
  readonly policy: Pick<Policy, "snapshot">;
  readonly journal: AppendToJournal;
};

/** The events of a name that came, went, or stands for something else now. */
type Events = { readonly added: string; readonly removed: string; readonly changed: string };

/** Each part of what is allowed is a map from names to what they stand for. */
const eventsOf: Readonly<Record<string, Events>> = {
  rules: { added: "rule-kept", removed: "rule-forgotten", changed: "rule-changed" },
  "secret-paths": {
    added: "secret-path-allowed",
    removed: "secret-path-forgotten",
    changed: "secret-path-changed",
  },
  skills: { added: "skill-accepted", removed: "skill-removed", changed: "skill-changed" },
  "skill-folders": { added: "skill-accepted", removed: "skill-removed", changed: "skill-changed" },
  chats: { added: "chat-linked", removed: "chat-unlinked", changed: "chat-linked" },
  vault: { added: "vault-value-set", removed: "vault-value-removed", changed: "vault-changed" },
  "vault-file": { added: "vault-changed", removed: "vault-changed", changed: "vault-changed" },
  settings: { added: "setting-changed", removed: "setting-changed", changed: "setting-changed" },
};

/** Makes the recorder of one process. It costs nothing while nothing changes. */
export function makePolicyRecorder(parts: RecordPolicyParts): RecordPolicy {
  let last = "";
  return async (session) => {
    const now = parts.policy.snapshot();
    const text = canonicalJson(now);
    if (text === last) return;
    const before = await parts.state.recordedPolicy.get();
    const known = isJsonObject(before) ? before : { settings: now["settings"] ?? {} };
    for (const detail of changesBetween(known, now))
      await parts.journal({ kind: "note", session: session ?? null, detail });
    if (canonicalJson(before) !== text) await parts.state.recordedPolicy.set(now);
    last = text;
  };
}

function changesBetween(before: JsonObject, now: JsonObject): readonly JsonObject[] {
  return Object.entries(eventsOf).flatMap(([part, events]) => {
    const [old, current] = [partOf(before[part]), partOf(now[part])];
    const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].sort();
    return names.flatMap((name): readonly JsonObject[] => {
      const [was, is] = [old[name], current[name]];
      if (was !== undefined && is !== undefined && canonicalJson(was) === canonicalJson(is)) return [];
      if (is === undefined) return [{ event: events.removed, name }];
      return [{ event: was === undefined ? events.added : events.changed, name, is }];
    });
  });
}

function partOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
