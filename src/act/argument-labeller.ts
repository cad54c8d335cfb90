import { bottomLabel, joinAll, joinLabels, type Label, type LabelSource, labelAt } from "../signal/label.ts";
import type { Caller, LabelArgument } from "../signal/tool.ts";
import { numbersIn, stringsIn } from "../text/json.ts";
import { placesOf } from "../text/places-of.ts";

/**
 * Labels an argument by the known value of the turn that it equals: a whole known string, or words inside a text of the
 * owner (a known string of integrity `user`) with only blanks, quotes and punctuation around them.
 * Of several matches, a text of the owner decides the integrity and the most secret one the secrecy.
 * A number that equals one of a known value has its label besides.
 * An argument that matches nothing is from the agent, joined with the label of the whole prompt.
 */
export function makeArgumentLabeller(caller: Caller): LabelArgument {
  return (text) => {
    const matches = text === "" ? [] : [...matching(text, caller)];
    const numbers = [...matchingNumbers(text, caller)];
    if (matches.length === 0) return joinAll([labelOfTurn(caller), caller.promptLabel, ...numbers]);
    const trusted = matches.find((label) => label.integrity === "user") ?? joinAll(matches);
    return { ...trusted, secrecy: joinAll([...matches, ...numbers]).secrecy };
  };
}

/** What the model writes by itself names its turn first: a long conversation has more sources than a label keeps. */
function labelOfTurn({ turn }: Caller): Label {
  return { integrity: "agent", secrecy: "public", sources: [{ id: turn, path: "" }] };
}

function* matching(text: string, caller: Caller): Generator<Label> {
  for (const [id, { value, label, fields = [] }] of caller.known) {
    for (const leaf of stringsIn(value)) {
      const owners = typeof value === "string" && label.integrity === "user";
      if (leaf.text !== text && !(owners && standsIn(text, leaf.text))) continue;
      yield labelOfLeaf({ label, fields }, { id, path: leaf.path });
    }
  }
}

/** A count up to this is equal to many others by chance. */
const mostCounted = 100;

/** A number may equal another one by chance: its label joins that of the text, and stands for none. */
function* matchingNumbers(text: string, caller: Caller): Generator<Label> {
  const number = /^-?\d[\d.e+-]*$/i.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(number) > mostCounted)) return;
  for (const [id, { value, label, fields = [] }] of caller.known)
    for (const leaf of numbersIn(value))
      if (leaf.number === number) yield labelOfLeaf({ label, fields }, { id, path: leaf.path });
}

/** The label of a place in a known value, which is its source. */
function labelOfLeaf(known: Parameters<typeof labelAt>[0], source: LabelSource): Label {
  return joinLabels(labelAt(known, source.path), { ...bottomLabel, sources: [source] });
}

function standsIn(text: string, words: string): boolean {
  for (const at of placesOf(text, words)) {
    const before = words.slice(Math.max(0, at - 1), at);
    const after = words.slice(at + text.length, at + text.length + 2);
    if (/^(?:|[\s"'`([{<«“‘])$/u.test(before) && /^(?:$|[\s"'`)\]}>»”’,;:!?]|\.(?:\s|$))/u.test(after))
      return true;
  }
  return false;
}
