import type { CalledResult } from "../../signal/called-result.ts";
import { type Flow, isTrustedOrigin } from "../../signal/facts.ts";
import { type Json, type JsonObject, stringsIn } from "../../text/json.ts";
import { isIdField, type ResultRecord, recordsIn } from "./records.ts";

/** Characters that are shown on either side of a value. */
const around = 80;

/** Tells a person where a value of a call comes from that is not theirs: in the words around it, or as the model's own. Nothing for a value of the owner's. */
export function quoteFlow(
  { argument, origin }: Pick<Flow, "argument" | "origin">,
  args: JsonObject,
  results: readonly CalledResult[],
): readonly string[] {
  if (isTrustedOrigin[origin]) return [];
  const value = valueAt(args, argument);
  const [, name = ""] = argument.split("/");
  if (origin === "pasted") return [`${name} ${value}: from words that you pasted`];
  const quoted = results
    .filter(({ label }) => label.secrecy === "public")
    .flatMap((result) => passagesWith(value, result.content).map((passage) => ({ passage, result })));
  const [first] = quoted;
  return [
    first === undefined
      ? `${name} ${value}: the agent's own value, no text of others has it`
      : `${name} ${value}: from ${first.result.tool}: ${first.passage}`,
  ];
}

function valueAt(args: JsonObject, pointer: string): string {
  const [, name = ""] = pointer.split("/");
  const held: Json = args[name] ?? null;
  const leaf = stringsIn(held).find(({ path }) => `/${name}${path}` === pointer);
  return leaf?.text ?? String(held);
}

/** The texts around a value, whole records before parts of texts. */
function passagesWith(value: string, content: Json): readonly string[] {
  const records = recordsIn(content).filter(({ fields }) =>
    fields.some((field) => isIdField(field) && field.values.includes(value)),
  );
  const texts = stringsIn(content).filter(({ text }) => value !== "" && text.includes(value));
  return [...records.map(describeRecord), ...texts.map(({ text }) => passageAround(value, text))];
}

function describeRecord({ fields }: ResultRecord): string {
  return fields
    .filter(({ values }) => values.every((text) => text.length <= around))
    .map(({ key, values }) => `${key} ${values.join(", ")}`)
    .join("; ")
    .slice(0, 2 * around);
}

function passageAround(value: string, text: string): string {
  const at = text.indexOf(value);
  const [start, end] = [Math.max(0, at - around), Math.min(text.length, at + value.length + around)];
  const passage = text.slice(start, end).replaceAll(/\s+/g, " ").trim();
  return `"${start > 0 ? "…" : ""}${passage}${end < text.length ? "…" : ""}"`;
}
