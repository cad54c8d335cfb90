import { stringsIn } from "../signal/json.ts";
import { joinAll, joinLabels, type Label, labelAt } from "../signal/label.ts";
import { placesOf } from "../signal/text/places-of.ts";
import type { Caller, LabelArgument } from "../signal/tool.ts";

/**
 * Labels an argument by the known value of the turn that it equals: a whole known string, or words inside a text of the
 * owner (a known string of integrity `user`) with only blanks, quotes and punctuation around them.
 * Of several matches, a text of the owner decides the integrity and the most secret one the secrecy.
 * An argument that matches nothing is from the agent, joined with the label of the whole prompt.
 */
export function makeArgumentLabeller(caller: Caller): LabelArgument {
  return (text) => {
    const matches = text === "" ? [] : [...matching(text, caller)];
    const first = matches[0];
    if (first === undefined) return joinLabels(labelOfTurn(caller), caller.promptLabel);
    const trusted = matches.find((label) => label.integrity === "user") ?? joinAll(matches);
    return { ...trusted, secrecy: joinAll(matches).secrecy };
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
      yield joinLabels(labelAt({ label, fields }, leaf.path), {
        integrity: "user",
        secrecy: "public",
        sources: [{ id, path: leaf.path }],
      });
    }
  }
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
