import { compilePattern, type Pattern } from "../outline/tag-pattern.ts";
import { alphanumeric } from "../text/emacs-characters.ts";
import type { Operator, Query, QueryProblem, QueryValue } from "./query.ts";

/**
 * Reads a query in the match syntax of Emacs's agenda: `+work-boss`, `{^w}`, `PRIORITY="A"`, `Effort<2`, `ITEM={re}`, `DEADLINE>="<-1w>"`, joined by
 * `&` or nothing, alternatives by `|`, and the TODO words after a `/` (`/!` for what is open, `/NEXT|WAITING`, `/-DONE`). Beyond it: blanks anywhere,
 * `AND`, `OR`, `NOT`, parentheses, and `"text"` for what stands in the title or the text.
 */
export function parseQuery(text: string): { readonly query: Query } | { readonly problem: QueryProblem } {
  const reading: Reading = { text, at: 0, problem: null };
  const query = readWhole(reading);
  return reading.problem === null ? { query } : { problem: reading.problem };
}

type Reading = { readonly text: string; at: number; problem: QueryProblem | null };

const everything: Query = { kind: "all", parts: [] };

function fail(reading: Reading, expected: string, at: number = reading.at): Query {
  reading.problem ??= { at: at + 1, expected };
  return everything;
}

function skipBlanks(reading: Reading): void {
  while (/\s/.test(reading.text[reading.at] ?? "")) reading.at += 1;
}

/** Skips blanks, then consumes a match of the expression. */
function take(reading: Reading, expression: RegExp): RegExpExecArray | null {
  skipBlanks(reading);
  expression.lastIndex = reading.at;
  const match = expression.exec(reading.text);
  if (match !== null) reading.at += match[0].length;
  return match;
}

function isAtEnd(reading: Reading): boolean {
  skipBlanks(reading);
  return reading.at >= reading.text.length || reading.problem !== null;
}

function readWhole(reading: Reading): Query {
  const parts: Query[] = [];
  if (!isAtEnd(reading) && reading.text[reading.at] !== "/") parts.push(readAny(reading, readTerm));
  if (take(reading, /\/+/y) !== null) {
    if (take(reading, /!/y) !== null) parts.push({ kind: "open" });
    if (!isAtEnd(reading)) parts.push(readAny(reading, readTodo));
  }
  if (!isAtEnd(reading)) fail(reading, "| or & and a term, or / and TODO words, or the end");
  return join("all", parts);
}

type ReadOne = (reading: Reading) => Query;

function readAny(reading: Reading, readOne: ReadOne): Query {
  const parts = [readAll(reading, readOne)];
  while (take(reading, /\||OR(?=[\s("]|$)/y) !== null) parts.push(readAll(reading, readOne));
  return join("any", parts);
}

function readAll(reading: Reading, readOne: ReadOne): Query {
  const parts = [readSigned(reading, readOne)];
  for (;;) {
    take(reading, /:(?=[\s|)/]|$)/y);
    const joined = take(reading, /&|AND(?=[\s("]|$)/y) !== null;
    if (!joined && (isAtEnd(reading) || /[|)/]|OR(?=[\s("]|$)/y.test(rest(reading)))) break;
    parts.push(readSigned(reading, readOne));
    if (reading.problem !== null) break;
  }
  return join("all", parts);
}

function rest(reading: Reading): string {
  return reading.text.slice(reading.at, reading.at + 4);
}

function readSigned(reading: Reading, readOne: ReadOne): Query {
  const sign = take(reading, /[-+:]|NOT(?=[\s("]|$)/y)?.[0];
  const part = readOne(reading);
  return sign === "-" || sign === "NOT" ? { kind: "not", part } : part;
}

function join(kind: "all" | "any", parts: readonly Query[]): Query {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

const propertyName = new RegExp(`(?:[${alphanumeric}_]|\\\\\\S)+(?=\\s*(?:[<=>]|[!/]=))`, "uy");
const tagName = new RegExp(`[${alphanumeric}_@#%]+`, "uy");

function readTerm(reading: Reading): Query {
  if (take(reading, /\(/y) !== null) {
    const opened = reading.at;
    const query = readAny(reading, readTerm);
    return take(reading, /\)/y) === null ? fail(reading, `) for the ( at ${opened}`) : query;
  }
  if (take(reading, /\{/y) !== null) return patternTerm(reading, "tag-pattern");
  const text = take(reading, /"([^"]*)"/y);
  if (text !== null) return { kind: "text", text: text[1] ?? "" };
  const property = take(reading, propertyName);
  if (property !== null) return readComparison(reading, property[0].replace(/\\(.)/gu, "$1").toUpperCase());
  const tag = take(reading, tagName);
  if (tag !== null) return { kind: "tag", name: tag[0] };
  return fail(reading, 'a tag, a property, {pattern}, "text" or (');
}

function readTodo(reading: Reading): Query {
  if (take(reading, /\{/y) !== null) return patternTerm(reading, "todo-pattern");
  const word = take(reading, tagName);
  return word === null ? fail(reading, "a TODO word or {pattern}") : { kind: "todo", word: word[0] };
}

function patternTerm(reading: Reading, kind: "tag-pattern" | "todo-pattern"): Query {
  const pattern = readPattern(reading);
  return pattern === null ? everything : { kind, pattern };
}

/** Reads the rest of a pattern after its opening brace. */
function readPattern(reading: Reading): Pattern | null {
  const begin = reading.at;
  const source = /[^}]+(?=\})/y;
  source.lastIndex = begin;
  const match = source.exec(reading.text);
  if (match === null) {
    fail(reading, "a pattern and }");
    return null;
  }
  const pattern = compilePattern(match[0]);
  if (!("test" in pattern)) {
    fail(reading, pattern.expected, begin + pattern.at);
    return null;
  }
  reading.at = begin + match[0].length + 1;
  return pattern;
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ["<", "<"],
  ["<=", "<="],
  ["=", "="],
  ["==", "="],
  ["<>", "<>"],
  ["!=", "<>"],
  ["/=", "<>"],
  [">=", ">="],
  [">", ">"],
]);

function readComparison(reading: Reading, name: string): Query {
  const written = take(reading, /<>|[<=>]=?|[!/]=/y)?.[0] ?? "";
  const operator = operators.get(written);
  if (operator === undefined) return fail(reading, "an operator such as = or <=");
  const required = take(reading, /\*/y) !== null;
  const value = readValue(reading);
  return value === null ? everything : { kind: "property", name, operator, required, value };
}

const timeValue = /^[[<](?:\d+|now|today|tomorrow|yesterday|[+-]\d+[hdmwy]).*[\]>]$/;

function readValue(reading: Reading): QueryValue | null {
  if (take(reading, /\{/y) !== null) {
    const pattern = readPattern(reading);
    return pattern === null ? null : { kind: "pattern", pattern };
  }
  const quoted = take(reading, /"([^"]*)"/y)?.[1];
  if (quoted !== undefined) {
    return timeValue.test(quoted) ? { kind: "time", time: quoted } : { kind: "text", text: quoted };
  }
  const number = take(reading, /-?[.0-9]+(?:[eE][-+]?\d+)?/y)?.[0];
  if (number !== undefined) return { kind: "number", number: leadingNumber(number) };
  fail(reading, 'a number, "text" or {pattern}');
  return null;
}

/** The number that a text begins with, as Emacs reads it; 0 if none. */
export function leadingNumber(text: string): number {
  const match = /^[ \t]*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/.exec(text);
  return match === null ? 0 : Number(match[1]);
}
