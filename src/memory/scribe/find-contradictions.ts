import type { NoteNode } from "../notes/nodes/note-node.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { Claim } from "./triage.ts";

/** A claim and a line of a note that says another value of the same subject. */
export type Contradiction = {
  readonly claim: Claim;
  readonly note: NoteNode;
  readonly line: string;
  readonly subject: string;
};

/** A subject with its value, as a sentence or a line of a note states them. */
type Statement = { readonly subject: string; readonly value: string };

const verbs =
  /^(?<subject>.{2,80}?)(?:\s+(?:is now|is|are now|are|was|costs?|lives? (?:in|at)|works? (?:at|for)|belongs? to|starts? (?:at|on)|ist|sind|kostet|wohnt in|heißt|zijn|kost|woont in)\s+|\s*(?:::|:|=)\s+)(?<value>\S.{0,120})$/iu;
const articles =
  /^(?:remember that|note that|that|the|a|an|my|our|mein\w*|unser\w*|der|die|das|de|het|mijn|onze)\s+/iu;

/**
 * Reads `SUBJECT is VALUE`, `SUBJECT: VALUE` and the like; null for anything else.
 * @internal
 */
export function readStatement(sentence: string): Statement | null {
  const plain = sentence.replace(/^\s*(?:[-+*]|\d+[.)])\s+/, "").trim();
  const { subject = "", value = "" } = verbs.exec(plain)?.groups ?? {};
  let name = subject.toLowerCase().trim();
  while (articles.test(name)) name = name.replace(articles, "");
  const said = wordsOf(value);
  const isEmpty =
    name === "" ||
    said === "" ||
    /^(?:it|this|that|he|she|they|what|who|there|es|das|er|sie|het)$/.test(name);
  return isEmpty ? null : { subject: wordsOf(name), value: said };
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}€$£%:]+(?:[.,]\d+)*/gu) ?? [])
    .join(" ")
    .replaceAll(/ ?: ?/g, ":");
}

const mostNotes = 10;

/** Finds notes that say another value of the subject of a claim: the same subject word by word, and a value that neither holds the other. */
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

function contradicts(one: Statement, other: Statement | null): boolean {
  if (other === null || other.subject !== one.subject) return false;
  const [mine, theirs] = [` ${one.value} `, ` ${other.value} `];
  return !mine.includes(theirs) && !theirs.includes(mine);
}
