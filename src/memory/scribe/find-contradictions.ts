import type { NoteNode } from "../../notes/note-node.ts";
import type { Notes } from "../notes/open-notes.ts";
import { contradicts, readStatement } from "./read-statement.ts";
import type { Claim } from "./triage.ts";

/** A claim and a line of a note with another value of the same subject. */
export type Contradiction = {
  readonly claim: Claim;
  readonly note: NoteNode;
  readonly line: string;
  readonly subject: string;
};

const mostNotes = 10;

/** Finds notes that contradict a claim: they have the same subject word by word, and a value that cannot also be true. */
export async function findContradictions(
  notes: Pick<Notes, "index" | "texts">,
  claims: readonly Claim[],
): Promise<readonly Contradiction[]> {
  const found: Contradiction[] = [];
  for (const claim of claims) {
    const own = claim.kind === "fact" || claim.kind === "decision" ? readStatement(claim.text) : null;
    if (own === null) continue;
    const hits = await notes.index.search(own.subject, mostNotes);
    const nodes = (await Promise.all(hits.map(({ id }) => notes.index.node(id)))).filter(
      (node) => node !== null,
    );
    const texts = await notes.texts(nodes);
    for (const note of nodes) {
      const line = (texts.get(note.id) ?? "")
        .split("\n")
        .find((one) => contradicts(own, readStatement(one.replace(/^\*+\s+/, ""))));
      if (line !== undefined) found.push({ claim, note, line: line.trim(), subject: own.subject });
    }
  }
  return found;
}
