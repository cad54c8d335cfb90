import type { CalledResult } from "../../signal/called-result.ts";
import type { ServiceAct } from "../../signal/effect.ts";
import type { Flow, FlowOrigin } from "../../signal/facts.ts";
import { partsOf } from "../../signal/intent/tokens.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, textsIn } from "../../signal/json.ts";
import { saidByArguments } from "../../signal/said-by-arguments.ts";
import type { LabelArgument } from "../../signal/tool.ts";

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
 * Whether a call tells its service something private, by its label. What the owner's words hold is their
 * word; a truth, a choice that the tool lists and a count up to a hundred are no text; and what the server
 * itself gave may go back to it, unless others get it.
 */
export function tellsPrivate(
  { args, parameters, act, flows, words, given }: ToldCall,
  labelOf: LabelArgument,
): boolean {
  const owners = new Set(flows.filter(({ origin }) => ofOwner.has(origin)).map(({ argument }) => argument));
  const listed = new Set(choicesIn(parameters));
  const said = words.map(partsOf);
  const back = isOutward(act)
    ? null
    : new Set(given.flatMap(({ content }) => textsIn(content).map(({ text }) => text)));
  return saidByArguments(args, parameters).some(
    ({ path, text }) =>
      !owners.has(path) &&
      !listed.has(text) &&
      !(path.lastIndexOf("/") === 0 && /^(?:true|false|\d{1,2}|100|)$/.test(text)) &&
      back?.has(text) !== true &&
      !said.some((parts) => holdsParts(parts, partsOf(text))) &&
      labelOf(text).secrecy !== "public",
  );
}

/** Whether others than the owner's own account get what such an act says. */
export function isOutward(act: ServiceAct): boolean {
  return act === "send" || act === "grant" || act === "pay" || act === "fetch" || act === "unknown";
}

const ofOwner: ReadonlySet<FlowOrigin> = new Set(["words", "contact", "approved", "confirmation"]);

/** Whether some words have all parts of a value, each as often as it has them. */
function holdsParts(words: readonly string[], parts: readonly string[]): boolean {
  const left = [...words];
  return (
    parts.length > 0 &&
    parts.every((part) => left.includes(part) && left.splice(left.indexOf(part), 1).length > 0)
  );
}

/** The values that a schema lists for its fields, however deep. */
function choicesIn(schema: Json): readonly string[] {
  if (isJsonArray(schema)) return schema.flatMap(choicesIn);
  if (!isJsonObject(schema)) return [];
  const { enum: listed = [], const: only = null } = schema;
  return [...textsIn([listed, only]).map(({ text }) => text), ...Object.values(schema).flatMap(choicesIn)];
}
