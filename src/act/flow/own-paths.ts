import { stringsIn } from "../../text/json.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { findName } from "../../text/words/find-words.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { sourcePrepositions } from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import type { Word } from "../../text/words/tokens.ts";
import { refersBack, type TraceContext } from "./trace-context.ts";

/** Whether a path is one that the owner typed, or one below it: any of what the request sends, else one by names that an act of this turn brought there or that the words say. */
export function isOwnPath(value: string, { intent, results, outward, request }: TraceContext): boolean {
  const path = identifierOf(value)?.value ?? value;
  if (partsOfPath(path).includes("..")) return false;
  const typed = intent.words.filter((_, at) => !sourcePrepositions.has(intent.words[at - 1]?.text ?? ""));
  const sent = outward ? wordsOfSent(request.clauses, intent) : [];
  const brought = new Set(
    results
      .filter(({ reads }) => !reads)
      .flatMap(({ args }) => stringsIn(args).map(({ text }) => partsOfPath(text).at(-1) ?? "")),
  );
  return typed.some((word) => {
    const { identifier, role } = word;
    if (role === "content" || identifier?.form !== "path" || identifier.value === "/") return false;
    if (path === identifier.value) return true;
    if (!isBelow(path, identifier.value)) return false;
    const isSaid = (part: string): boolean =>
      findName(intent.words, part, { nouns: new Set(), capitals: false, beside: true }).length > 0;
    return (
      (sent.some((one) => one.identifier?.value === identifier.value) && isKnownPath(path, results)) ||
      partsOfPath(path.slice(identifier.value.length)).every((part) => brought.has(part) || isSaid(part))
    );
  });
}

/** Whether a call of the turn was given a path, or a result lists it: a name that nobody saw is the model's own. */
function isKnownPath(path: string, results: TraceContext["results"]): boolean {
  return results.some(({ args, content }) =>
    [...stringsIn(args), ...stringsIn(content)].some(
      ({ text }) => text === path || text === partsOfPath(path).at(-1),
    ),
  );
}

/** The words for what is sent: the objects of the request, and what the owner told before where it points back: "I put files into X. Upload these." */
function wordsOfSent(clauses: readonly Clause[], { statements }: Intent): readonly Word[] {
  return clauses.flatMap((clause) => [
    ...clause.words.filter(({ slot }) => slot === "object"),
    ...(refersBack(clause) ? statements.flat() : []),
  ]);
}

/** Whether a path is below a folder, with no hidden name on its way. */
export function isBelow(path: string, folder: string): boolean {
  return (
    path.startsWith(`${folder}/`) &&
    partsOfPath(path.slice(folder.length)).every((part) => !part.startsWith("."))
  );
}

function partsOfPath(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}
