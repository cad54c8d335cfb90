import { shorten } from "../../text/cut-text.ts";
import type { Form } from "../../text/form.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import { DecodingProblem } from "./decode-problem.ts";
import { jsonObjectOf, jsonOf } from "./decode-value.ts";
import { keyOf } from "./keyword-names.ts";
import { readForm, readPlist } from "./reader.ts";
import type { Choice, Field, Fields, Shape } from "./schema.ts";
import { judgementNames } from "./schema-messages.ts";

/** A peer's message (JSON-shaped, keys in lower case), or what is wrong and where. `offset` counts code points from the start of the text. */
export type DecodeResult =
  | { readonly ok: true; readonly message: JsonObject }
  | { readonly ok: false; readonly code: string; readonly text: string; readonly offset: number };

/** How a key that the schema does not know is treated: `closed` refuses the message, `open` drops the key. */
type UnknownKeyPolicy = "closed" | "open";

/** Makes a decoder of the messages of one end. It accepts any text, never throws, and takes linear time. */
export function makeDecoder(shape: Choice, reading: UnknownKeyPolicy): (text: string) => DecodeResult {
  const decodeForm = (form: Form): JsonObject =>
    decodeChoice(shape, unquote(form), { key: "message", reading });
  return (text) => {
    const read = readForm(text);
    if (!read.ok)
      return refusal("unreadable", `The form cannot be read: ${read.message}.`, text, read.offset);
    try {
      return { ok: true, message: decodeForm(read.form) };
    } catch (error) {
      if (!(error instanceof DecodingProblem)) throw error;
      return refusal(error.code, error.message, text, placeOf(text, decodeForm));
    }
  };
}

function refusal(code: string, message: string, text: string, units: number): DecodeResult {
  let offset = 0;
  for (const _ of text.slice(0, units)) offset += 1;
  return { ok: false, code, text: message, offset };
}

/** The place of the form that is wrong. The text is read a second time, now with the places of its forms. */
function placeOf(text: string, decodeForm: (form: Form) => JsonObject): number {
  const places = new Map<Form, number>();
  const read = readForm(text, places);
  try {
    if (read.ok) decodeForm(read.form);
  } catch (error) {
    if (error instanceof DecodingProblem) return places.get(error.form) ?? 0;
    throw error;
  }
  return 0;
}

/** Where a decoder is: the key, and how unknown keys are treated. */
type Place = { readonly key: string; readonly reading: UnknownKeyPolicy };

function decodeAs(shape: Shape, quoted: Form, place: Place): Json {
  const form = unquote(quoted);
  switch (shape.kind) {
    case "text":
      if (form.kind === "string" || form.kind === "character") return form.value;
      throw wrong(form, place, "a string");
    case "integer":
      if (form.kind === "integer" && typeof form.value === "number") return form.value;
      throw wrong(form, place, "a whole number of at most 53 bits");
    case "truth":
      return decodeTruth(form, place);
    case "word":
      return decodeWord(form, place);
    case "words":
      return itemsOf(form, place).map((item) => decodeWord(item, place));
    case "value":
      return jsonOf(form);
    case "object":
      return decodeObject(form, place);
    case "objects":
      return itemsOf(form, place).map((item) => renameKeys(jsonObjectOf(item), shape.renamed));
    case "plist":
      return decodePlist(shape.fields, form, place);
    case "plists":
      return itemsOf(form, place).map((item) => decodePlist(shape.fields, item, place));
    case "choice":
      return decodeChoice(shape, form, place);
  }
}

function decodeTruth(form: Form, place: Place): boolean {
  if (isNil(form) || (form.kind === "keyword" && form.name === "FALSE")) return false;
  if (form.kind === "symbol" && form.name === "T") return true;
  throw wrong(form, place, "T or NIL");
}

function decodeWord(form: Form, place: Place): string {
  if (form.kind === "keyword" || (form.kind === "symbol" && form.package === null)) return keyOf(form.name);
  if (form.kind === "string") return form.value.toLowerCase();
  throw wrong(form, place, "a keyword");
}

/** An object may have any keys. From a client, it may not have a reserved key of judgement. */
function decodeObject(form: Form, place: Place): JsonObject {
  const value = jsonObjectOf(form);
  for (const key of place.reading === "closed" ? Object.keys(value) : []) {
    const name = key.toUpperCase();
    if (judgementNames.has(name)) throw refusedKey(name, form, place);
  }
  return value;
}

function decodePlist(fields: Fields, quoted: Form, place: Place): JsonObject {
  const form = unquote(quoted);
  return decodeEntries(fields, { form, entries: entriesOf(form, place) }, place);
}

function decodeChoice(shape: Choice, form: Form, place: Place): JsonObject {
  const entries = entriesOf(form, place);
  const by = shape.by.find((key) => entries.has(key.toUpperCase()));
  const named = by === undefined ? undefined : entries.get(by.toUpperCase());
  if (by === undefined || named === undefined) {
    throw new DecodingProblem(
      "missing-key",
      `The ${place.key} lacks the key ${shape.by.map(keyword).join(" or ")}.`,
      form,
    );
  }
  const word = decodeWord(named, { key: by, reading: place.reading });
  const fields = shape.of.get(word);
  if (fields?.byName.has(by.toUpperCase()) !== true) {
    throw new DecodingProblem(
      `unknown-${by}`,
      `The ${by} ${keyword(word)} is not accepted here. Accepted are: ${[...shape.of.keys()].map(keyword).join(" ")}.`,
      named,
    );
  }
  return decodeEntries(fields, { form, entries }, place);
}

type Entries = { readonly form: Form; readonly entries: ReadonlyMap<string, Form> };

function decodeEntries(fields: Fields, { form, entries }: Entries, place: Place): JsonObject {
  const message: { [key: string]: Json } = {};
  for (const [name, item] of entries) {
    const field = fields.byName.get(name);
    if (field === undefined) {
      if (place.reading === "closed" && !fields.stripped.has(name))
        throw unknownKey(fields, name, item, place);
    } else if (message[field.key] !== undefined) {
      throw new DecodingProblem("not-a-plist", `The ${place.key} has ${keyword(field.key)} twice.`, item);
    } else if (field.required || !isAbsent(field, item)) {
      message[field.key] = decodeAs(field.shape, item, { key: field.key, reading: place.reading });
    }
  }
  for (const { key, required } of fields.all) {
    if (required && message[key] === undefined) {
      throw new DecodingProblem("missing-key", `The ${place.key} lacks the key ${keyword(key)}.`, form);
    }
  }
  return message;
}

/** `NIL` as a string, an integer or a keyword means that the key is absent. */
function isAbsent({ shape }: Field, form: Form): boolean {
  return isNil(form) && (shape.kind === "text" || shape.kind === "integer" || shape.kind === "word");
}

function unknownKey(fields: Fields, name: string, form: Form, place: Place): DecodingProblem {
  if (judgementNames.has(name)) return refusedKey(name, form, place);
  const known = fields.all.map((field) => keyword(field.key)).join(" ");
  const text = `The ${place.key} has the unknown key ${asWritten(name)}. Known are: ${known}.`;
  return new DecodingProblem("unknown-key", text, form);
}

function refusedKey(name: string, form: Form, place: Place): DecodingProblem {
  const text = `The ${place.key} has the key ${keyword(name)}, which is reserved for the daemon: it concerns judgement. Leave it out.`;
  return new DecodingProblem("refused-key", text, form);
}

function wrong(form: Form, { key }: Place, wanted: string): DecodingProblem {
  const found = isNil(form) ? "NIL" : `${form.kind === "integer" ? "an" : "a"} ${form.kind}`;
  return new DecodingProblem(
    "wrong-value",
    `${key === "message" ? "The frame" : `The value of ${keyword(key)}`} is ${found}; it must be ${wanted}.`,
    form,
  );
}

function entriesOf(form: Form, place: Place): ReadonlyMap<string, Form> {
  if (form.kind !== "list") throw wrong(form, place, "a property list");
  const reading = readPlist(form);
  if (reading.ok) return reading.entries;
  throw new DecodingProblem(
    "not-a-plist",
    `The ${place.key} is not a property list: ${reading.message}.`,
    form,
  );
}

function itemsOf(form: Form, place: Place): readonly Form[] {
  if (form.kind === "list") return form.items;
  throw wrong(form, place, "a list");
}

function renameKeys(object: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const back = new Map([...renamed].map(([key, other]) => [other, key]));
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [back.get(key) ?? key, item]));
}

function unquote(form: Form): Form {
  return form.kind === "quote" ? unquote(form.form) : form;
}

function isNil(form: Form): boolean {
  return form.kind === "list" && form.items.length === 0;
}

/** The keyword of a name, in bars if it has lower-case letters: without bars it would be another keyword. */
function asWritten(name: string): string {
  return /[a-z]/.test(name) ? `:|${shown(name)}|` : keyword(name);
}

/** A key as a keyword, for a message to a person. */
function keyword(key: string): string {
  return `:${shown(key.toUpperCase())}`;
}

/** A name without characters that could deceive a reader, cut if it is long. */
function shown(name: string): string {
  const visible = name.replace(/[^\x21-\x7e]/g, "?");
  return shorten(visible, 48);
}
