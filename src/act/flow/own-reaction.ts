import type { Clause } from "../../signal/intent/read-intent.ts";
import { isJsonObject, stringsIn } from "../../signal/json.ts";
import { wordsOfName } from "./fits-name.ts";
import { reactionsOf } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { type RecordField, type ResultRecord, recordsIn } from "./records.ts";
import type { TraceContext, TracedArgument } from "./trace-context.ts";

/**
 * "Remove my stars from repositories owned by me": whether the value is one of the things that the owner calls their own and gave a reaction to, both in the lists of the
 * one record that a service has of them. With a condition ("if others gave one too") only where there is one such thing, so that nothing is left to choose.
 */
export function isOwnReaction({ value }: TracedArgument, { tool, request, results }: TraceContext): boolean {
  const reactions = reactionsOf(tool);
  if (reactions.length === 0) return false;
  const owners = results
    .filter(({ reads, args, content }) => reads && stringsIn(args).length === 0 && isJsonObject(content))
    .flatMap(({ content }) => recordsIn(content).slice(-1));
  return request.clauses.some((clause) => {
    const isConditional = clause.words.some(({ slot }) => slot === "remark");
    return owners.some((owner) => {
      const meant = reactedOwn(owner, clause, reactions);
      return meant.includes(value) && (meant.length === 1 || !isConditional);
    });
  });
}

/** The things in a list that the clause calls the owner's own, and in one of what the owner reacted to. */
function reactedOwn(
  { fields }: ResultRecord,
  clause: Clause,
  reactions: readonly string[],
): readonly string[] {
  const lists = fields.map((field) => ({ nouns: wordsOfName(field.key), items: itemsOf(field) }));
  const given = new Set(
    lists
      .filter(({ nouns: [first = ""] }) => reactions.some((one) => first.startsWith(one)))
      .flatMap(({ items }) => items),
  );
  return lists
    .filter(({ nouns: [noun = "", ...rest] }) => rest.length === 0 && isCalledOwn(noun, clause))
    .flatMap(({ items }) => items.filter((item) => given.has(item)));
}

/** The items of a list, also of one that is written as a text in brackets. */
function itemsOf({ values }: RecordField): readonly string[] {
  return values.flatMap((text) =>
    /^\[.*\]$/s.test(text)
      ? [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, two]) => one ?? two ?? "")
      : [text],
  );
}

/** "My repositories", "repositories owned by me". */
function isCalledOwn(noun: string, { earlier, words }: Clause): boolean {
  const all = [...earlier, ...words];
  return all.some(({ text, role }, at) => {
    if (role !== "plain" || stem(text) !== stem(noun)) return false;
    const behind = all.slice(at + 1, at + 4).map((word) => word.text);
    return all[at - 1]?.text === "my" || behind.join(" ") === "owned by me";
  });
}
