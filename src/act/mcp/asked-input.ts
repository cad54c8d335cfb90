import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { asksForSecret } from "./asks-for-secret.ts";
import { cleanText } from "./clean-text.ts";

/** One question of a server to the owner, with the fields of its answer. `key` is the server's own name of it. */
export type AskedQuestion = {
  readonly key: string;
  readonly message: string;
  readonly fields: readonly AskedField[];
};
export type AskedField = {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  /** The values that it allows; left out where it allows any. */
  readonly options?: readonly string[];
};

/** The questions of a server, or the reason why they are not asked. */
export type AskedInput =
  | { readonly ok: true; readonly questions: readonly AskedQuestion[] }
  | { readonly ok: false; readonly reason: string };

const mostQuestions = 5;
const mostFields = 20;
/** The names that a field may have: none of them could be read as an answer. */
const fieldName = /^[\p{L}\p{N}][\p{L}\p{N}_. /-]{0,63}$/u;

/** Reads the questions of a server. A question for a secret is refused in any language, and so is everything that is no form. */
export function readAskedInput(requests: JsonObject): AskedInput {
  const entries = Object.entries(requests);
  if (entries.length === 0) return { ok: false, reason: "it does not say what" };
  if (entries.length > mostQuestions)
    return { ok: false, reason: `it asks ${entries.length} questions at once` };
  const questions: AskedQuestion[] = [];
  for (const [key, request] of entries) {
    const question = readQuestion(key, request);
    if (typeof question === "string") return { ok: false, reason: question };
    questions.push(question);
  }
  return { ok: true, questions };
}

function readQuestion(key: string, request: Json): AskedQuestion | string {
  const { method, params } = isJsonObject(request) ? request : {};
  if (method !== "elicitation/create" || !isJsonObject(params))
    return `it asks for ${cleanText(String(method), 60)}, which this program does not do for servers`;
  const { mode = "form", message, requestedSchema } = params;
  if (mode !== "form")
    return "it wants to send you to an address, which this program does not do for servers";
  if (typeof message !== "string" || !isJsonObject(requestedSchema)) return "its question cannot be read";
  const { properties, required } = requestedSchema;
  if (!isJsonObject(properties) || Object.keys(properties).length > mostFields)
    return "the form of its question cannot be read";
  if (asksForSecret({ key, message, requestedSchema })) return "it asks for a password, key or other secret";
  const strange = Object.keys(properties).find((name) => !fieldName.test(name));
  if (strange !== undefined)
    return `it asks for a field with the name ${JSON.stringify(wordsOf(strange, 64))}`;
  return {
    key,
    message: wordsOf(message, 500),
    fields: Object.entries(properties).map(([name, schema]) =>
      readField(name, schema, isJsonArray(required) && required.includes(name)),
    ),
  };
}

function readField(name: string, said: Json, required: boolean): AskedField {
  const schema = isJsonObject(said) ? said : {};
  const options = optionsOf(schema);
  const about = [schema["title"], schema["description"]].filter((text) => typeof text === "string");
  return {
    name,
    type: wordsOf(typeof schema["type"] === "string" ? schema["type"] : "string", 20),
    description: wordsOf(about.join(": "), 200),
    required,
    ...(options.length === 0 ? {} : { options }),
  };
}

/** Words of a server, which are shown in quotes that they cannot end. */
function wordsOf(said: string, longest: number): string {
  return cleanText(said, longest).replaceAll('"', "'");
}

function optionsOf({ enum: values, oneOf, anyOf, items }: JsonObject): readonly string[] {
  const listed = [values, oneOf, anyOf].find(isJsonArray) ?? [];
  const own = listed.flatMap((item) => {
    const value = isJsonObject(item) ? item["const"] : item;
    return typeof value === "string" ? [wordsOf(value, 80)] : [];
  });
  return own.length === 0 && isJsonObject(items) ? optionsOf(items) : own.slice(0, 50);
}
