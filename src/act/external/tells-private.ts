import type { CalledResult } from "../../signal/called-result.ts";
import type { ServiceAct } from "../../signal/effect.ts";
import type { Flow, FlowOrigin } from "../../signal/facts.ts";
import { describedNames } from "../../signal/said-by-arguments.ts";
import type { LabelArgument } from "../../signal/tool.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, textsIn } from "../../text/json.ts";
import { openWordSupply } from "./word-supply.ts";

/** A call, with what may show that it tells nothing new. */
export type ToldCall = {
  readonly args: JsonObject;
  /** What its tool describes of its arguments. */
  readonly parameters: Json;
  readonly act: ServiceAct;
  readonly flows: readonly Flow[];
  /** What the owner typed in this turn. */
  readonly words: readonly string[];
  /** What the same server gave in this turn. */
  readonly given: readonly Pick<CalledResult, "content">[];
};

/**
 * Whether a call tells its service something private, by its label. All that the call says is counted
 * together, its form too: a value that may be repeated spells out any text. Free are what the owner's
 * words name as destination or object, once in an argument; the words that the owner typed, each as often
 * as they typed it; and one value for each argument, with a few different ones inside of arguments, that is
 * a choice that the tool lists, a text that is known to be public, or what the server itself gave, unless
 * others get it. A whole argument may also be a truth, a count up to a hundred or nothing.
 */
export function tellsPrivate(
  { args, parameters, act, flows, words, given }: ToldCall,
  labelOf: LabelArgument,
): boolean {
  // No known text is empty: its label is that of all that the model was shown.
  const isShown = labelOf("").secrecy !== "public";
  const ordered = new Set(
    flows.flatMap(({ origin, role, argument }) => (ofOwner.has(origin) && role !== "link" ? [argument] : [])),
  );
  const listed = new Set(choicesIn(parameters));
  const back = new Set(
    isOutward(act) ? [] : given.flatMap(({ content }) => textsIn(content).map(({ text }) => text)),
  );
  const supply = openWordSupply(words);
  const isOrdered = takeOnce(ordered);
  const nested = new Set<string>();
  const used = new Set<string>();
  const isFree = (each: Said): boolean => {
    const { text, path, isValue } = each;
    if (isOrdered(each)) return true;
    const isKnown = isValue && (listed.has(text) || back.has(text) || labelOf(text).secrecy === "public");
    const isWhole = isValue && path.lastIndexOf("/") === 0;
    if (isWhole && (isKnown || plainValue.test(text))) return true;
    if (supply.take(text)) return true;
    return isKnown && text !== "" && !used.has(text) && nested.add(text).size <= mostNested;
  };
  const said = saidBy(args, new Set(describedNames(parameters)));
  return said.some((each) => {
    const isTold = !isFree(each) && (isShown || labelOf(each.text).secrecy !== "public");
    used.add(each.text);
    return isTold;
  });
}

/** Whether others than the owner's own account get what such an act says. */
export function isOutward(act: ServiceAct): boolean {
  return act === "send" || act === "grant" || act === "pay" || act === "fetch" || act === "unknown";
}

const ofOwner: ReadonlySet<FlowOrigin> = new Set(["words", "contact", "approved", "confirmation"]);

/** Truths, counts up to a hundred, and nothing. */
const plainValue = /^(?:true|false|null|\[\]|\{\}|\d{1,2}|100|)$/;
/** Known values deeper in the arguments of one call that tell too little. */
const mostNested = 4;

/** `isValue`: whether it is a value of its own, and neither the name of a field nor a form of others. */
type Said = { readonly path: string; readonly text: string; readonly isValue: boolean };

/** Containers in each other in which people write arguments: lists of things with lists. */
const usualDepth = 3;

/** All that a value says: its texts, the names that nobody describes, and what is empty or nested. */
function saidBy(value: Json, described: ReadonlySet<string>, path = "", depth = 0): readonly Said[] {
  const inner = isJsonArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (inner.length === 0 && path !== "") {
    const text =
      typeof value === "string"
        ? value
        : isJsonObject(value) || isJsonArray(value)
          ? JSON.stringify(value)
          : String(value);
    return [{ path, text, isValue: true }];
  }
  const isDeep = depth > usualDepth;
  return [
    ...(isDeep ? [{ path, text: isJsonArray(value) ? "[[]]" : "{{}}", isValue: false }] : []),
    ...inner.flatMap(([name, item]): readonly Said[] => {
      const place = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const isNew = !isJsonArray(value) && !described.has(name);
      return [
        ...(isNew ? [{ path: place, text: name, isValue: false }] : []),
        // What is nested deeper says no more about whether the call does.
        ...(isDeep ? [] : saidBy(item, described, place, depth + 1)),
      ];
    }),
  ];
}

/** Takes a value in one of some places, once in each argument. */
function takeOnce(places: ReadonlySet<string>): (said: Said) => boolean {
  const taken = new Set<string>();
  return ({ path, text, isValue }) => {
    const key = JSON.stringify([path.split("/")[1], text]);
    if (!isValue || !places.has(path) || taken.has(key)) return false;
    taken.add(key);
    return true;
  };
}

/** The values that a schema lists for its fields, however deep. */
function choicesIn(schema: Json): readonly string[] {
  if (isJsonArray(schema)) return schema.flatMap(choicesIn);
  if (!isJsonObject(schema)) return [];
  const { enum: listed = [], const: only = null } = schema;
  return [...textsIn([listed, only]).map(({ text }) => text), ...Object.values(schema).flatMap(choicesIn)];
}
