import { deepestWritten, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/** The value of a JSON text, or what is wrong with the text. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly message: string };

/** Reads a JSON text. Unlike `JSON.parse` it refuses a repeated key, the key `__proto__`, a number out of range, and nesting deeper than 64. */
export function readJson(text: string): JsonReading {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return {
      ok: false,
      message: `it is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const problem = problemOf(text);
  return problem === null ? { ok: true, value } : { ok: false, message: problem };
}

/** Reads a JSON text that must hold an object. */
export function readJsonObject(
  text: string,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly message: string } {
  const reading = readJson(text);
  if (!reading.ok) return reading;
  return isJsonObject(reading.value)
    ? { ok: true, value: reading.value }
    : { ok: false, message: "it is not a JSON object" };
}

/** Checks a text that is known to be valid JSON. In `open` each open object is the set of its keys, each open array is null. */
function problemOf(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (const token of tokens(text)) {
    const keys = open.at(-1) ?? null;
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : null);
      if (open.length > deepestWritten) return `it is nested deeper than ${deepestWritten}`;
      expectsKey = token === "{";
    } else if (token === "}" || token === "]") {
      open.pop();
      expectsKey = false;
    } else if (token === ",") {
      expectsKey = keys !== null;
    } else if (expectsKey && keys !== null) {
      const key = String(JSON.parse(token));
      if (keys.has(key)) return `the key ${JSON.stringify(key)} occurs twice`;
      if (key === "__proto__") return 'the key "__proto__" is not allowed';
      keys.add(key);
      expectsKey = false;
    } else if (/^[-\d]/.test(token) && !Number.isFinite(Number(token))) {
      return `the number ${token.slice(0, 32)} is out of range`;
    }
  }
  return null;
}

/** The tokens of a text that is known to be valid JSON, without blanks and colons. */
function* tokens(text: string): Generator<string> {
  const word = /[^\s{}[\],:"]+/y;
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at);
    let end = at + 1;
    if (first === '"') {
      while (text[end] !== '"' && end < text.length) end += text[end] === "\\" ? 2 : 1;
      end += 1;
    } else if (!/[\s{}[\],:]/.test(first)) {
      word.lastIndex = at;
      end = at + (word.exec(text)?.[0].length ?? 1);
    }
    if (!/[\s:]/.test(first)) yield text.slice(at, end);
    at = end;
  }
}
