import { hash } from "node:crypto";
import type { Finding, Repair } from "./finding.ts";
import type { Claim, KnownTargets } from "./known-targets.ts";
import { lineAt } from "./line-at.ts";

/** Finds IDs that several nodes have. The first by path and place keeps it, one in an archive only if all are; each other is proposed an ID of its own, always the same one. `textOf`: the text of a file; null where it is gone. */
export function findDuplicateIds(
  targets: KnownTargets,
  textOf: (file: string) => string | null,
): readonly { readonly finding: Finding; readonly repair: Repair | null }[] {
  return [...targets.claims].flatMap(([id, claims]) => {
    if (claims.length < 2) return [];
    const [first, ...others] = claims.toSorted(byPlace);
    if (first === undefined) return [];
    return others.map((claim, index) => duplicate({ id, index, first, claim }, textOf(claim.file)));
  });
}

function byPlace(one: Claim, other: Claim): number {
  if (one.isArchive !== other.isArchive) return one.isArchive ? 1 : -1;
  return one.file === other.file ? one.begin - other.begin : one.file < other.file ? -1 : 1;
}

type Duplicate = {
  readonly id: string;
  readonly index: number;
  readonly first: Claim;
  readonly claim: Claim;
};

function duplicate({ id, index, first, claim }: Duplicate, text: string | null) {
  const { file, title, begin, end } = claim;
  const isThere = text !== null && text.slice(begin, end) === id;
  const line = isThere ? lineAt(text, begin) : 0;
  const where = first.file === file ? "an entry above" : first.file;
  const message = `the ID '${id}' of '${title}' is that of ${where} (${first.title}) too, so links to it lead there.`;
  const finding: Finding = { code: "duplicate-id", file, line, message, repairable: isThere };
  const repair: Repair | null = isThere
    ? {
        file,
        title: `Give '${title}' an ID of its own`,
        why: `The ID ${id} is that of '${first.title}' in ${first.file} too. Links to it lead there, and go on doing so.`,
        line,
        splices: [{ begin, end, insert: newId(`${file}\n${id}\n${index}`) }],
      }
    : null;
  return { finding, repair };
}

/** A UUID that depends on a text alone, so that the same proposal is the same. */
function newId(text: string): string {
  const hex = hash("sha256", text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
