import { identifierOf } from "../../signal/intent/identifiers.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import { isIdName, isPersonName, wordsOfName } from "./fits-name.ts";
import type { ToolWords } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { type DecidingNames, foldName, type TracedArgument } from "./trace-context.ts";

/** A value that decides over a call, and where it stands in the arguments. */
export type DecidingValue = TracedArgument & { readonly pointer: string };

/**
 * The values that decide over a call, however deep they stand and however their argument is spelled. What is
 * left out decides nothing. A declared argument that is switched off or emptied does, and so does an empty
 * text: nobody said it.
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
    const off = role === "critical" && isSwitchedOff(held) ? [{ path: "", text: JSON.stringify(held) }] : [];
    return [...off, ...leavesIn(held, { path: "", name })].map(({ path, text }) => {
      const last = path.split("/").at(-1) ?? "";
      const own = /^\d*$/.test(last) || (isPersonName(name) && isIdName(last)) ? name : last;
      return { pointer: `/${name}${path}`, name: own, value: text, role, nouns: idNouns(own, tool) };
    });
  });
}

/** Whether a value takes something away that is otherwise there: a guard, a list of who may see it. */
function isSwitchedOff(value: Json): boolean {
  if (value === false || value === null) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
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
    const place = { path: `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, name: key };
    const named = valueForms.has(identifierOf(key)?.form ?? "") ? [{ path: place.path, text: key }] : [];
    return saysKind(key, item, value) ? [] : [...named, ...leavesIn(item, place)];
  });
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
