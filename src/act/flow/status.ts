import { isJsonObject, type Json } from "../../text/json.ts";
import { confirmationWords, failureWords } from "../../text/words/lexicon.ts";
import { partsOf } from "../../text/words/tokens.ts";

/** Words at the start of a line of status that say what became of a call. What stands behind may be content. */
const firstWords = 4;

/** A line of status that asks for a code, and nothing behind it. */
export function speaksOfConfirmation(content: Json): boolean {
  const status = statusIn(content).trim();
  return !status.includes("\n") && partsOf(status).some((part) => confirmationWords.has(part));
}

/** A line of status that says that a code was not accepted. */
export function isFailure(content: Json): boolean {
  return partsOf(statusIn(content)).some((part) => failureWords.has(part));
}

/** A line of status that begins by saying that a call was not done. */
export function wasNotDone(content: Json): boolean {
  return partsOf(statusIn(content))
    .slice(0, firstWords)
    .some((part) => failureWords.has(part));
}

/**
 * An error that begins by saying that arguments of the call are invalid, in general or by one of these
 * names: the service did not begin. "Invalid response" says nothing of what was done before.
 */
export function saysInvalid(message: string, names: readonly string[]): boolean {
  const said = partsOf(message.replace(/^.*?: (?:it failed: )?/s, "")).slice(0, firstWords);
  const named = new Set(names.flatMap(partsOf));
  const at = said.findIndex((part) => invalidWords.has(part));
  return (
    said.includes(invalidParameters) ||
    (at !== -1 && said.slice(at + 1).some((part) => argumentNouns.has(part) || named.has(part)))
  );
}

/** The code of JSON-RPC for parameters that are none of the method's. */
const invalidParameters = "32602";
const invalidWords: ReadonlySet<string> = new Set(
  "invalid malformed missing ungültige ungültiger".split(" "),
);
const argumentNouns: ReadonlySet<string> = new Set(
  "argument arguments parameter parameters params input request value field angabe wert".split(" "),
);

/** The line of status that a result is, also where it is read as one field with its name; empty for any record, which is content. */
function statusIn(content: Json): string {
  const [field, ...others] = isJsonObject(content) ? Object.entries(content) : [];
  const line = field !== undefined && others.length === 0 ? `${field[0]}: ${String(field[1])}` : content;
  return typeof line === "string" && line.length < 400 ? line : "";
}
