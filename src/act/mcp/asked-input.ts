import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
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
  /** The values that it takes; left out where it takes any. */
  readonly options?: readonly string[];
};

/** The questions of a server, or why they are not asked. */
export type AskedInput =
  | { readonly ok: true; readonly questions: readonly AskedQuestion[] }
  | { readonly ok: false; readonly reason: string };

const mostQuestions = 5;
const mostFields = 20;

/** Reads what a server wants to know before it goes on. A secret is never asked for, in whatever words; nor is anything but the answers to a form. */
export function readAskedInput(requests: JsonObject): AskedInput {
  const entries = Object.entries(requests);
  if (entries.length === 0 || entries.length > mostQuestions)
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
  if (asksForSecret({ message, requestedSchema })) return "it asks for a password, key or other secret";
  return {
    key,
    message: cleanText(message, 500),
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
    name: cleanText(name, 64),
    type: cleanText(typeof schema["type"] === "string" ? schema["type"] : "string", 20),
    description: cleanText(about.join(": "), 200),
    required,
    ...(options.length === 0 ? {} : { options }),
  };
}

function optionsOf({ enum: values, oneOf, anyOf, items }: JsonObject): readonly string[] {
  const listed = [values, oneOf, anyOf].find(isJsonArray) ?? [];
  const own = listed.flatMap((item) => {
    const value = isJsonObject(item) ? item["const"] : item;
    return typeof value === "string" ? [cleanText(value, 80)] : [];
  });
  return own.length === 0 && isJsonObject(items) ? optionsOf(items) : own.slice(0, 50);
}

/** Whether any text of a question is about a secret. It is compared without blanks, marks and look-alikes of letters, so that spelling does not help. */
export function asksForSecret(value: Json): boolean {
  const texts = allTexts(value).map(foldLetters);
  return texts.some(
    (text) => secretWords.test(text.replace(/[^a-z0-9]/g, "")) || shortWords.test(text.replace(/[_-]/g, " ")),
  );
}

/** Long enough to mean nothing else where they stand inside other letters. */
const secretWords =
  /passw|pa55|passwort|kennwort|passphrase|passcode|passkey|contrasena|motdepasse|parola|wachtwoord|credential|zugangsdaten|anmeldedaten|apikey|apischluss|apitoken|accesskey|accesstoken|authtoken|bearertoken|sessiontoken|refreshtoken|sessioncookie|clientsecret|secretkey|sharedsecret|sshkey|signingkey|privatekey|privatschlussel|encryptionkey|securitycode|securityanswer|verificationcode|confirmationcode|loginc|onetimecode|onetimep|backupcode|recoverycode|recoveryphrase|recoverykey|seedphrase|seedwords|mnemonic|twofactor|2fa|authenticatorcode|creditcard|cardnumber|kreditkarte|kartennummer|debitcard|cvccode|cvvcode|bankaccountlogin|socialsecuritynumber|pincode|geheimzahl|geheimnis/;
const shortWords =
  /(?:^|[^a-z0-9])(?:secrets?|tokens?|pin|puk|otp|totp|cvv|cvc|ssn|mfa|pwd|jwt)(?:$|[^a-z0-9])/;

function foldLetters(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return [...plain].map((letter) => lookAlikes.get(letter) ?? letter).join("");
}

/** Letters of other scripts, and digits, that look like Latin letters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [
    ["аαɑａ@", "a"],
    ["сϲ", "c"],
    ["ԁ", "d"],
    ["еεҽ€3", "e"],
    ["һ", "h"],
    ["іιı1!ӏ|", "i"],
    ["ϳј", "j"],
    ["кκ", "k"],
    ["ո", "n"],
    ["оοσ0", "o"],
    ["рρ", "p"],
    ["ѕ$5", "s"],
    ["тτ", "t"],
    ["υս", "u"],
    ["ѵν", "v"],
    ["ԝω", "w"],
    ["хχ", "x"],
    ["уγ", "y"],
    ["ß", "s"],
  ].flatMap(([letters = "", latin = ""]) => [...letters].map((letter) => [letter, latin] as const)),
);

function allTexts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isJsonArray(value)) return value.flatMap(allTexts);
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, item]) => [splitCamel(key), ...allTexts(item)])
    : [];
}

function splitCamel(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2");
}
