import type { CalledResult } from "../../signal/called-result.ts";
import { isNoMoreSecretThan } from "../../signal/label.ts";
import { beginOf } from "../../text/cut-text.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, stringsIn } from "../../text/json.ts";

/** An argument that names a value in place of copying it: `@3.from` is the field `from` of the third result of the turn. */
export type Reference = {
  /** JSON pointer into the arguments. */
  readonly argument: string;
  readonly name: string;
  /** The tool whose result holds the value. */
  readonly tool: string;
};

/** What references are resolved with: the results so far, and whether a text stands in the words or the contents that are known. */
export type ReferenceSources = {
  readonly results: readonly CalledResult[];
  readonly isKnownText: (text: string) => boolean;
};

/** Arguments with values in the place of references, or why a reference names nothing. */
export type ResolvedReferences =
  | { readonly ok: true; readonly args: JsonObject; readonly references: readonly Reference[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** A reference: `@3.from`, `@3[0].id`, `@3.list[0].id`. The first field begins with a letter, so that `@1.2.3` is a version. */
export const form = /^@(\d{1,4})((?:\.[\p{L}_][^\s.[\]]*|\[\d{1,6}\])(?:\.[^\s.[\]]+|\[\d{1,6}\])*)$/u;
/** A text of this form with one more `@` stands for itself. */
const escaped = /^@@+\d{1,4}[.[]/;

/**
 * Puts values in the place of references. Any argument may be one, at any depth, because the tools of others cannot say where they take one; only as a whole, because
 * a part of a text may be anything. Only public results have values to refer to: a model that may not see a private one would learn from a refusal what it holds. A text that the owner or any content wrote stays a text: only the model itself refers.
 */
export function resolveReferences(args: JsonObject, sources: ReferenceSources): ResolvedReferences {
  const shown = sources.results.filter(({ label }) => isNoMoreSecretThan(label, "public"));
  const references: Reference[] = [];
  const unknown: string[] = [];
  const resolve = (value: Json, argument: string): Json => {
    if (isJsonArray(value)) {
      const items = value.map((item, index) => resolve(item, `${argument}/${index}`));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (isJsonObject(value)) return resolveObject(value, argument);
    if (typeof value !== "string" || !(form.test(value) || escaped.test(value)) || sources.isKnownText(value))
      return value;
    if (escaped.test(value)) return value.slice(1);
    const found = findReferred(value, shown);
    if (found === null) unknown.push(value);
    else references.push({ argument, name: value, tool: found.tool });
    return found?.value ?? value;
  };
  // What refers to nothing stays the same object, by which its readers remember it.
  const resolveObject = (value: JsonObject, argument: string): JsonObject => {
    const items = Object.entries(value).map(
      ([key, item]) =>
        [key, resolve(item, `${argument}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)] as const,
    );
    return items.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(items);
  };
  const resolved = resolveObject(args, "");
  const [first] = unknown;
  return first === undefined
    ? { ok: true, args: resolved, references }
    : { ok: false, code: "unknown-reference", message: explainUnknown(first, shown) };
}

/** Whether a text stands in one of these values. */
export function standsInAny(text: string, values: Iterable<Json>): boolean {
  for (const value of values) if (stringsIn(value).some((leaf) => leaf.text.includes(text))) return true;
  return false;
}

/** A value that a reference names, and the tool whose result holds it. */
type Referred = { readonly value: Json; readonly tool: string };

/** The value that a reference names; null if there is none. */
export function findReferred(name: string, results: readonly CalledResult[]): Referred | null {
  const [, number = "", steps = ""] = form.exec(name) ?? [];
  const result = results.find((one) => one.number === Number(number));
  let value: Json | undefined = result?.content;
  for (const [, key, index] of steps.matchAll(/\.([^\s.[\]]+)|\[(\d+)\]/gu))
    value = fieldOf(value, key ?? index ?? "");
  return result === undefined || value === undefined || value === null ? null : { value, tool: result.tool };
}

function fieldOf(value: Json | undefined, key: string): Json | undefined {
  if (isJsonArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Results and fields that a refusal lists. */
const mostShown = 8;

function explainUnknown(name: string, results: readonly CalledResult[]): string {
  const there = results
    .filter(({ number, content }) => number !== undefined && typeof content === "object")
    .slice(-mostShown)
    .map(({ number, tool, content }) => `@${number} of ${tool} (${fieldsOf(content).join(", ")})`);
  const roster = there.length === 0 ? "No result of this turn has fields" : `There are: ${there.join("; ")}`;
  return `No result of this turn has the value ${beginOf(name, 80)}. ${roster}. To mean the text itself, write @${beginOf(name, 80)}.`;
}

/** The names of fields that are words: a name may be of others, too. */
function fieldsOf(content: Json): readonly string[] {
  if (isJsonArray(content)) return content.length === 0 ? [] : [`[0] to [${content.length - 1}]`];
  if (!isJsonObject(content)) return [];
  return Object.keys(content)
    .filter((key) => /^[A-Za-z][\w-]{0,39}$/.test(key))
    .slice(0, mostShown)
    .map((key) => `.${key}`);
}
