import { foldName } from "../../text/fold-name.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { personNouns } from "../../text/words/lexicon.ts";
import { isIdName, isPathName, isPersonName, wordsOfName } from "./fits-name.ts";
import type { ToolWords } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { type DecidingNames, decidingNames, type TracedArgument, type TracedCall } from "./trace-context.ts";

/** A value that decides over a call, and where it stands in the arguments. */
export type DecidingValue = TracedArgument & { readonly pointer: string };

/**
 * The values that decide over a call, however deep they stand and however their argument is spelled. What is
 * left out decides nothing. A declared argument that is switched off or emptied does, also in part, and so
 * does an empty text: nobody said it.
 */
export function decidingValues(
  args: JsonObject,
  { destinations, critical }: DecidingNames,
  tool: ToolWords,
): readonly DecidingValue[] {
  const [goal, target] = [destinations, critical].map((names) => new Set([...names].map(foldName)));
  return Object.entries(args).flatMap(([name, held]): readonly DecidingValue[] => {
    const folded = foldName(name);
    const role = goal?.has(folded) ? "destination" : target?.has(folded) ? "critical" : null;
    if (role === null) return [];
    const off = role === "critical" ? switchedOffIn(held, "") : [];
    return [...off, ...leavesIn(held, { path: "", name })].map(({ path, text }) => {
      const last = path.split("/").at(-1) ?? "";
      const own = /^\d*$/.test(last) || (isPersonName(name) && isIdName(last)) ? name : last;
      return { pointer: `/${name}${path}`, name: own, value: text, role, nouns: idNouns(own, tool) };
    });
  });
}

/**
 * The fields inside deciding arguments whose names neither the server describes nor the argument explains:
 * "thousands" in an amount, "everyone" beside an address. Nobody knows what they do. A flag, and a name that
 * has the form of a value, are values.
 */
export function unknownFields(call: TracedCall): readonly Field[] {
  const declared = decidingNames(call);
  return Object.entries(call.args)
    .filter(([argument]) => declared.has(foldName(argument)))
    .flatMap(([argument, value]) =>
      fieldsIn(value, `/${argument}`).filter(
        ({ name, held }) =>
          held !== true && !isValueForm(name) && !call.fields.has(name) && !isExplainedBy(argument, name),
      ),
    );
}

type Field = { readonly pointer: string; readonly name: string; readonly held: Json };

/** The named fields inside a value. */
function fieldsIn(value: Json, pointer: string): readonly Field[] {
  return partsIn(value).flatMap(([name, held]) => {
    const place = `${pointer}/${escapeKey(name)}`;
    return [...(isJsonArray(value) ? [] : [{ pointer: place, name, held }]), ...fieldsIn(held, place)];
  });
}

/** Whether a name only says again what its argument is, or that this is its id, number, value or name. */
function isExplainedBy(argument: string, name: string): boolean {
  const own = new Set(wordsOfName(argument).map(stem));
  return (
    /^[\p{L}_-]+$/u.test(name) &&
    wordsOfName(name).every(
      (part) =>
        own.has(stem(part)) ||
        plainNames.has(part) ||
        (isPersonName(argument) && personNouns.has(part)) ||
        (isPathName(argument) && isPathName(part)),
    )
  );
}

const plainNames: ReadonlySet<string> = new Set("id ids number value name type kind".split(" "));

/** What takes something away inside a value that is otherwise there: a guard, a list of who may see it. */
function switchedOffIn(value: Json, path: string): readonly Leaf[] {
  const parts = partsIn(value);
  if (value === false || value === null || (typeof value === "object" && parts.length === 0))
    return [{ path, text: JSON.stringify(value) }];
  return parts.flatMap(([key, held]) => switchedOffIn(held, `${path}/${escapeKey(key)}`));
}

/** The fields of an object and the items of a list. */
function partsIn(value: Json): readonly (readonly [string, Json])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

type Place = { readonly path: string; readonly name: string };
type Leaf = { readonly path: string; readonly text: string };

/** Every text, number and set flag of a value. A flag is its name; so is a name that is an address, and which a service may take for a value. */
export function leavesIn(value: Json, { path, name }: Place): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ path, text: String(value) }];
  if (value === true) return [{ path, text: name }];
  if (isJsonArray(value)) return value.flatMap((item, at) => leavesIn(item, { path: `${path}/${at}`, name }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const place = { path: `${path}/${escapeKey(key)}`, name: key };
    const named = isValueForm(key) ? [{ path: place.path, text: key }] : [];
    return saysKind(key, item, value) ? [] : [...named, ...leavesIn(item, place)];
  });
}

/** Whether a name is one that a service may take for a value. */
function isValueForm(name: string): boolean {
  return valueForms.has(identifierOf(name)?.form ?? "");
}

const valueForms: ReadonlySet<string> = new Set(["address", "url", "account", "path"]);

/** "type": "file" beside "file_id" only says which field is given. */
function saysKind(key: string, kind: Json, fields: JsonObject): boolean {
  return (
    /^(?:type|kind)$/.test(key) &&
    typeof kind === "string" &&
    Object.entries(fields).some(
      ([other, value]) =>
        other !== key && value !== null && value !== "" && wordsOfName(other).includes(kind.toLowerCase()),
    )
  );
}

function idNouns(name: string, tool: ToolWords): readonly string[] {
  const own = wordsOfName(name)
    .filter((part) => part !== "id" && part !== "ids")
    .map(stem);
  return own.length > 0 ? own : tool.nouns;
}
