import { readDenoteName } from "../../../notes/denote-name.ts";
import type { FileFacts, IdPlace } from "./read-file-facts.ts";

/** The place of an `:ID:`. */
export type Claim = Pick<IdPlace, "title" | "begin" | "end"> & Pick<FileFacts, "file" | "isArchive">;

/** The targets that links of the notes may have, gathered while files are read. */
export class KnownTargets {
  readonly claims = new Map<string, Claim[]>();
  /** The files by their last name. */
  readonly byName = new Map<string, string[]>();
  /** The IDs by the titles of their nodes, in lower case. */
  readonly byTitle = new Map<string, string[]>();
  readonly identifiers = new Set<string>();
  #idsByLowerCase: Map<string, string[]> | null = null;

  add({ file, ids, isArchive }: Pick<FileFacts, "file" | "ids" | "isArchive">): void {
    const identifier = readDenoteName(file)?.id ?? null;
    if (identifier !== null) this.identifiers.add(identifier);
    append(this.byName, file.slice(file.lastIndexOf("/") + 1), file);
    for (const { id, title, begin, end } of ids) {
      append(this.claims, id, { file, title, begin, end, isArchive });
      append(this.byTitle, title.toLowerCase(), id);
    }
  }

  hasId(id: string): boolean {
    return this.claims.has(id) || this.identifiers.has(id);
  }

  /** The IDs that differ from another one in upper and lower case only. */
  idsLike(id: string): readonly string[] {
    if (this.#idsByLowerCase === null) {
      this.#idsByLowerCase = new Map();
      for (const known of this.claims.keys()) append(this.#idsByLowerCase, known.toLowerCase(), known);
    }
    return this.#idsByLowerCase.get(id.toLowerCase()) ?? [];
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
