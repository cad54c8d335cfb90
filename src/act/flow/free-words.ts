import type { Clause } from "../../text/words/find-clauses.ts";
import { holdsElsewhere } from "../../text/words/foreign-words.ts";
import { relatives } from "../../text/words/lexicon.ts";
import * as said from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isOwners, placesIn } from "./sentence-parts.ts";

/**
 * Whether a word may stand in the clause of a message: it asks to wait for nothing, and hands nothing to the
 * owner.
 */
export function isFreeWord(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return word !== undefined && !isHolding(word) && !turnsToOwner(words, at);
}

type TimedParts = {
  readonly words: readonly Word[];
  readonly kinds: ReadonlySet<string>;
  readonly named: ReadonlySet<number>;
};

/**
 * "Send a mail to Sarah at 5pm", "post hi in the channel tomorrow": a time right behind the recipient or the
 * message, which the call does not have, is when the owner wants it sent.
 */
export function isTimed(at: number, { words, kinds, named }: TimedParts): boolean {
  const word = words[at];
  if (word === undefined || word.role !== "plain" || named.has(at)) return false;
  const isMoment = word.identifier?.form === "time" || word.dated || laterWords.has(word.text);
  const before = momentLeads.has(words[at - 1]?.text ?? "") ? at - 2 : at - 1;
  const isDated = datedNouns.some((noun) => kinds.has(noun));
  return isMoment && !isDated && (named.has(before) || kinds.has(words[before]?.text ?? ""));
}

const laterWords: ReadonlySet<string> = new Set("tomorrow tonight morgen übermorgen".split(" "));
const momentLeads: ReadonlySet<string> = new Set("at on um am".split(" "));
const datedNouns: readonly string[] = ["event", "reminder", "task"];

/**
 * Another request in the sentence of a message: "find the report and send it". It is free, but for one behind
 * it that only points back: "and save it", "and show it to me".
 */
export function isBeside(clause: Clause, first: number, words: readonly Word[]): boolean {
  const inside = placesIn(clause).map((at) => words[at]);
  const free = inside.findIndex((word) => word !== undefined && relatives.has(word.text));
  const object = free === -1 ? inside : inside.slice(0, free);
  return (
    !isOwners(clause, words) &&
    !inside.some((word) => word !== undefined && isHolding(word)) &&
    (clause.at < first ||
      (!clause.senses.includes("delete") &&
        !object.some((word) => word?.role === "plain" && pointers.has(word.text))))
  );
}

const pointers: ReadonlySet<string> = new Set("it this that them es das ihn sie".split(" "));

function isHolding({ text, role }: Word): boolean {
  return role === "plain" && (said.holdingWords.has(text) || holdsElsewhere(text));
}

/** ", I want to see it", "so that I can", "and let me": behind a joint somebody else acts than the agent. */
function turnsToOwner(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (word === undefined || word.role !== "plain" || before === undefined) return false;
  const isFor = before.text === "that" && words[at - 2]?.text === "so";
  const isJoint = word.after === "comma" || turns.has(before.text) || isFor;
  return isJoint && turning.has(word.text);
}

const turns: ReadonlySet<string> = new Set("and und so".split(" "));
const turning: ReadonlySet<string> = new Set(
  "i i'd i'll i'm we let ask only just not no never don't show ich wir lass frag nur nicht kein".split(" "),
);
