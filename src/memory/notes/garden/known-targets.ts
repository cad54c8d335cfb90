import type { IdPlace } from "./read-file-facts.ts";

/** Where an `:ID:` stands. */
export type Claim = Pick<IdPlace, "title" | "begin" | "end"> & { readonly file: string };

/** What links of the notes may lead to, gathered while files are read. */
export class KnownTargets {
  readonly claims = new Map<string, Claim[]>();
  /** The files by their last name. */
  readonly byName = new Map<string, string[]>();
  /** The IDs by the titles of their nodes, in lower case. */
  readonly byTitle = new Map<string, string[]>();
  readonly identifiers = new Set<string>();

  add(file: string, ids: readonly IdPlace[], identifier: string | null): void {
    if (identifier !== null) this.identifiers.add(identifier);
    append(this.byName, file.slice(file.lastIndexOf("/") + 1), file);
    for (const { id, title, begin, end } of ids) {
      append(this.claims, id, { file, title, begin, end });
      append(this.byTitle, title.toLowerCase(), id);
    }
  }

  hasId(id: string): boolean {
    return this.claims.has(id) || this.identifiers.has(id);
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
