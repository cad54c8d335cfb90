import type { VaultEntry } from "./vault-file.ts";
import { problemOfBinding, problemOfValue } from "./vault-value.ts";

/** The values of a vault by name. */
export type Entries = ReadonlyMap<string, VaultEntry>;

/** Why values cannot be changed. */
type Unchanged<Code> = { readonly ok: false; readonly code: Code; readonly reason: string };

export function noName(name: string): Unchanged<"no-name"> {
  const reason = `The vault has no value named ${name}. Set it: passepartout vault set ${name}`;
  return { ok: false, code: "no-name", reason };
}

/** Values that say where something is and are no secret: masked, they would take common words with them. */
const publicValues: ReadonlySet<string> = new Set(["signal-daemon"]);

/** The values that are to be masked. */
export function secretsOf(values: Entries): readonly string[] {
  return [...values].flatMap(([name, { value }]) => (publicValues.has(name) ? [] : [value]));
}

/** The values with one more, or why there cannot be: what is put into a header has to fit there. */
export function withEntry(
  values: Entries,
  name: string,
  entry: VaultEntry,
): Entries | Unchanged<"wrong-value"> {
  const reason = entry.bound === null ? null : problemOfBinding(name, entry.value);
  return reason === null ? new Map([...values, [name, entry]]) : { ok: false, code: "wrong-value", reason };
}

/** The values with these set, each bound as it was, and without those that are null. */
export function withChanges(
  values: Entries,
  changes: ReadonlyMap<string, string | null>,
): Entries | Unchanged<"wrong-value"> {
  let changed = values;
  for (const [name, value] of changes) {
    if (value === null) {
      changed = new Map([...changed].filter(([other]) => other !== name));
      continue;
    }
    const reason = problemOfValue(name, value);
    if (reason !== null) return { ok: false, code: "wrong-value", reason };
    const next = withEntry(changed, name, { value, bound: changed.get(name)?.bound ?? null });
    if ("ok" in next) return next;
    changed = next;
  }
  return changed;
}
