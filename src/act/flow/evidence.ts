import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { findIdentifiers, identifierOf } from "../../text/words/identifiers.ts";
import { isIdField } from "./records.ts";
import type { TraceContext, Written } from "./trace-context.ts";

/** Letters and digits from which on a value is found inside other words, too. */
const shortestPart = 6;

/**
 * A context with the results alone that are evidence for a value: those before the model itself had written
 * it. A service repeats what it is asked, and a file holds what was written into it.
 */
export function withEvidence(value: string, context: TraceContext): TraceContext {
  const from = context.results.findIndex(({ written }) => written.some((own) => holdsValue(own, value)));
  return from === -1 ? context : { ...context, results: context.results.slice(0, from) };
}

/** What a value of JSON says, names of fields included. It is remembered for the arguments of a call. */
export function writtenIn(value: Json): Written {
  if (!isJsonObject(value)) return findWritten(value);
  const known = writtenBy.get(value) ?? findWritten(value);
  writtenBy.set(value, known);
  return known;
}

const writtenBy = new WeakMap<JsonObject, Written>();

function findWritten(value: Json): Written {
  const texts: string[] = [];
  const numbers = new Set<string>();
  const read = (held: Json, name: string): void => {
    if (typeof held === "string") texts.push(plainText(held));
    else if (typeof held === "number" && (name === "" || isIdField({ key: name, values: [] })))
      numbers.add(String(held));
    else if (isJsonArray(held)) for (const item of held) read(item, name);
    else if (isJsonObject(held))
      for (const [key, item] of Object.entries(held)) {
        texts.push(plainText(key));
        read(item, key.toLowerCase());
      }
  };
  read(value, "");
  const words = texts.map((text) => text.split(/[^\p{L}\p{N}]+/u));
  for (const { form, value: number } of texts.flatMap(findIdentifiers))
    if (form === "number") numbers.add(number);
  return { joined: words.map((parts) => parts.join("")).join(" "), words: new Set(words.flat()), numbers };
}

function holdsValue({ joined, words, numbers }: Written, value: string): boolean {
  const number = identifierOf(value);
  if (number?.form === "number") return numbers.has(number.value);
  const letters = plainText(value).replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (letters === "") return false;
  return letters.length < shortestPart ? words.has(letters) : joined.includes(letters);
}

/** A text in one case, with what JSON and addresses write as codes. */
function plainText(text: string): string {
  return text
    .replaceAll(/%([0-7][0-9a-f])|\\u([0-9a-f]{4})|\\[nrt]/gi, (_, one: string = "", two: string = "20") =>
      String.fromCharCode(Number.parseInt(one === "" ? two : one, 16)),
    )
    .normalize("NFKC")
    .toLowerCase();
}
