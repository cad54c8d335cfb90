import type { ProvedRow } from "./parity.ts";

/** A change of one line of a file; the line occurs once in it, or `occurrence` says which it is. */
export type Mutation = {
  readonly file: string;
  readonly line: string;
  readonly occurrence: number;
  readonly replacement: string;
};

/** The mutations in the text of `test/parity-mutations.json`, by the ids of their rows. The list is our own output. */
export function parseMutations(text: string): ReadonlyMap<string, Mutation> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, Mutation>));
}

/** The text with the mutation in it; null where the line is not there any more. */
export function mutate(text: string, { line, occurrence, replacement }: Mutation): string | null {
  const lines = text.split("\n");
  const places = lines.flatMap((other, index) => (other === line ? [index] : []));
  const place = places[occurrence];
  return place === undefined ? null : lines.with(place, replacement).join("\n");
}

/** What is wrong with the list of mutations, in words; `read` gives the text of a file, null where there is none. Empty where each proved row has one that can be made. */
export function checkMutations(
  rows: readonly ProvedRow[],
  mutations: ReadonlyMap<string, Mutation>,
  read: (file: string) => string | null,
): readonly string[] {
  const known = new Set(rows.map(({ id }) => id));
  const without = rows.filter(({ id }) => !mutations.has(id)).map(({ id }) => `${id} has no mutation`);
  const gone = [...mutations.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no proved row`);
  const stale = [...mutations].flatMap(([id, mutation]) => {
    const text = read(mutation.file);
    if (text === null) return [`${id}: there is no file ${mutation.file}`];
    const made = mutate(text, mutation);
    if (made === null) return [`${id}: ${mutation.file} has no such line any more: ${mutation.line.trim()}`];
    return made === text ? [`${id}: its mutation changes nothing`] : [];
  });
  return [...without, ...gone, ...stale];
}
