import { isNoMoreSecretThan, joinLabels, type Label } from "../../signal/label.ts";
import { isLineOnCall, type TranscriptEntry } from "../state/transcript.ts";

/** The kinds of claims. */
export const claimKinds = ["decision", "fact", "promise", "question", "change"] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** A statement or a change that is worth keeping, with the ID of its entry in the transcript. */
export type Claim = {
  readonly kind: ClaimKind;
  readonly text: string;
  readonly speaker: "owner" | "agent";
  readonly entry: string;
  /** Unix milliseconds; null if the time is not known. */
  readonly at: number | null;
  readonly label: Label;
};

/** The entries of a day in order, with the results of their turns. */
export type DayOfTalk = {
  readonly entries: readonly TranscriptEntry[];
  /** The outcome of each turn, and the files that it changed and nobody restored. */
  readonly turns: ReadonlyMap<string, { readonly answered: boolean; readonly files: readonly string[] }>;
};

const longestClaim = 400;

/**
 * Finds claims by rule: decisions, facts and promises of the owner, promises of the agent, open questions, and changed files. Commands and lines about calls
 * are skipped. The same words are one claim; `most` are given.
 */
export function triage({ entries, turns, most }: DayOfTalk & { readonly most: number }): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const lastOf = new Map(entries.map((entry) => [entry.session, entry.id]));
  for (const entry of entries) {
    if (!isNoMoreSecretThan(entry.label, "private") || isLineOnCall(entry)) continue;
    const isLast = lastOf.get(entry.session) === entry.id;
    const answered = entry.turn === null || turns.get(entry.turn)?.answered !== false;
    for (const claim of claimsIn(entry, { isLast, answered })) {
      const key = `${claim.kind} ${claim.text.toLowerCase()}`;
      if (!claims.has(key)) claims.set(key, claim);
    }
  }
  for (const claim of changesIn({ entries, turns })) claims.set(`change ${claim.text}`, claim);
  return [...claims.values()].slice(0, most);
}

type Standing = { readonly isLast: boolean; readonly answered: boolean };

function claimsIn(entry: TranscriptEntry, { isLast, answered }: Standing): readonly Claim[] {
  const { speaker, text } = entry;
  if (speaker !== "owner" && speaker !== "agent") return [];
  if (speaker === "owner" && /^\s*[/!]/.test(text)) return [];
  const sentences = sentencesOf(text);
  const claim = (kind: ClaimKind, words: string): Claim => ({
    kind,
    speaker,
    text: words,
    entry: entry.id,
    at: entry.at,
    label: entry.label,
  });
  if (speaker === "agent") {
    const promises = sentences.filter((one) => promised.test(one)).map((one) => claim("promise", one));
    const asked = isLast ? sentences.filter(isQuestion).slice(-1) : [];
    return [...promises, ...asked.map((one) => claim("question", one))];
  }
  return sentences.flatMap((one): readonly Claim[] => {
    if (isQuestion(one)) return answered ? [] : [claim("question", one)];
    const kind = kindOf(one);
    return kind === null ? [] : [claim(kind, one)];
  });
}

const decided =
  /\b(?:decided|we(?:'ll| will| are going to| shall) (?:use|take|go|keep|stay|buy|move|do)|let'?s (?:use|take|go|keep|stay|do|make)|agreed|settled on|i(?:'ve| have)? cho(?:se|osen)|from now on|beschlossen|entschieden|wir nehmen|ab jetzt|besloten|voortaan)\b/i;
const promised =
  /\b(?:i(?:'ll| will| promise)|i(?:'m| am) going to|remind me|i owe|i have to|i must|i need to|ich werde|ich muss|erinnere mich|ik zal|ik moet)\b/i;
const told =
  /\b(?:remember that|note that|fyi|for your information|my|our|i am|i'm|i have|i've got|i live|i work|we have|we are|mein\w*|unser\w*|ich bin|ich habe|wir haben|mijn|onze|ik ben|ik heb)\b/i;
const states =
  /^(?:the|a|an|das|der|die|de|het|[\p{Lu}][\p{L}]+)\b.{0,60}?\b(?:is|are|was|were|has|have|costs?|lives?|works?|belongs?|ist|sind|war|hat|kostet|wohnt|heißt|is|zijn|heeft|kost)\b/iu;
const orders =
  /^(?:please|can you|could you|would you|read|write|show|find|search|open|run|make|add|delete|remove|list|tell|give|fetch|look|check|summari[sz]e|fix|plan|put|move|rename|explain|compare|bitte|zeig|lies|schreib)\b/i;

/** The kind of claim that a sentence of the owner makes; null for an order or small talk. */
function kindOf(sentence: string): ClaimKind | null {
  if (decided.test(sentence)) return "decision";
  if (promised.test(sentence)) return "promise";
  if (/^(?:remember|note|merk dir|onthoud)\b/i.test(sentence)) return "fact";
  if (orders.test(sentence)) return null;
  return told.test(sentence) || states.test(sentence) ? "fact" : null;
}

function isQuestion(sentence: string): boolean {
  return /[?？]\s*$/.test(sentence);
}

/** Sentences of at least three words, outside of quoted lines and blocks of code. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .split("\n")
    .filter((line) => !/^\s*(?:>|#|\||[-+*]\s*$)/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?。？！])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= longestClaim && sentence.split(/\s+/).length >= 3);
}

function changesIn({ entries, turns }: DayOfTalk): readonly Claim[] {
  const made = new Map<string, Label>();
  for (const { turn, speaker, label } of entries)
    if (turn !== null && speaker === "agent") made.set(turn, joinLabels(made.get(turn) ?? label, label));
  return entries.flatMap((entry): readonly Claim[] => {
    const files =
      entry.turn === null || entry.speaker !== "owner" ? [] : (turns.get(entry.turn)?.files ?? []);
    return files.map((file) => ({
      kind: "change",
      speaker: "agent",
      text: file,
      entry: entry.id,
      at: entry.at,
      // The agent chose the name of the file, beside all that stood in its prompt.
      label: joinLabels(entry.label, made.get(entry.turn ?? "") ?? entry.label),
    }));
  });
}
