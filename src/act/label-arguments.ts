import { strings } from "../signal/json.ts";
import { join, type Label } from "../signal/label.ts";
import type { Asker, LabelOf } from "../signal/tool.ts";

/**
 * Labels an argument by the value of the turn that it is: a whole known string, or words that the owner wrote (a known
 * value that is itself a string of integrity `user`) with nothing but blanks, quotes and punctuation around them.
 * The owner's word wins over another's for integrity, the most secret wins for secrecy. What matches nothing is the agent's, joined with all that was in the prompt.
 */
export function labelArguments(asker: Asker): LabelOf {
  return (text) => {
    const matches = text === "" ? [] : [...matching(text, asker)];
    const first = matches[0];
    if (first === undefined)
      return join({ integrity: "agent", secrecy: "public", sources: [] }, asker.promptLabel);
    const trusted = matches.find((label) => label.integrity === "user") ?? join(...matches);
    return { ...trusted, secrecy: join(...matches).secrecy };
  };
}

function* matching(text: string, asker: Asker): Generator<Label> {
  for (const [id, { value, label }] of asker.known) {
    for (const leaf of strings(value)) {
      const owners = typeof value === "string" && label.integrity === "user";
      if (leaf.text !== text && !(owners && standsIn(text, leaf.text))) continue;
      yield join(label, { integrity: "user", secrecy: "public", sources: [{ id, path: leaf.path }] });
    }
  }
}

function standsIn(text: string, words: string): boolean {
  for (let at = words.indexOf(text); at !== -1; at = words.indexOf(text, at + 1)) {
    const before = words.slice(Math.max(0, at - 1), at);
    const after = words.slice(at + text.length, at + text.length + 2);
    if (/^(?:|[\s"'`([{<«“‘])$/u.test(before) && /^(?:$|[\s"'`)\]}>»”’,;:!?]|\.(?:\s|$))/u.test(after))
      return true;
  }
  return false;
}
