import { nodeIdentityOf, scanOutline } from "#org";
import { largestSkill } from "../read-skill-file.ts";

/** The file of a skill as a model's answer has it, or why it has none. */
export type ReadDraft =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Takes the file out of an answer: one block, or the whole answer. Its id is `id`, whatever the model wrote: an id may name another skill. */
export function readDraft(answer: string, id: string): ReadDraft {
  const refused = (problem: string): ReadDraft => ({ ok: false, problem });
  const blocks = [...answer.matchAll(/^```(?:org)?[ \t]*\n([\s\S]*?)^```[ \t]*$/gm)].map(
    ([, body = ""]) => body,
  );
  const [block] = blocks;
  if (blocks.length > 1) return refused("The answer has several blocks. Give the whole file in one.");
  const whole = /^\s*(?:#\+|:PROPERTIES:)/i.test(answer) ? answer : undefined;
  const file = (block ?? whole)?.trim();
  if (file === undefined || file === "") return refused("The answer has no block ```org with the file.");
  if (file.length > largestSkill)
    return refused(`The file has ${file.length} characters, and a skill at most ${largestSkill}.`);
  const text = `:PROPERTIES:\n:ID: ${id}\n:END:\n${file.replace(/^:PROPERTIES:\n[\s\S]*?^:END:[ \t]*\n?/im, "")}\n`;
  return nodeIdentityOf(scanOutline(text).properties).id === id
    ? { ok: true, text }
    : refused("The file has a drawer with an id that cannot be replaced. Write none.");
}
