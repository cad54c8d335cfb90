import type { Form, FormReading, PlistReading } from "../../text/form.ts";
import { readToken } from "./token.ts";

const deepest = 64;
/** More forms than any message needs. The limit is there because a form takes many times the memory of its text. */
const mostForms = 1_000_000;
const characterNames: ReadonlyMap<string, string> = new Map([
  ["SPACE", " "],
  ["NEWLINE", "\n"],
  ["LINEFEED", "\n"],
  ["TAB", "\t"],
  ["RETURN", "\r"],
  ["PAGE", "\f"],
  ["BACKSPACE", "\b"],
  ["RUBOUT", "\u007f"],
  ["ESCAPE", "\u001b"],
  ["NUL", "\0"],
  ["NULL", "\0"],
]);

/** Reads a text of exactly one form, as the Lisp reader does with `*read-eval*` off (`WIRE.md`, Forms). Evaluates nothing, never throws, takes linear time. Notes in `places` where each form begins. */
export function readForm(text: string, places: Map<Form, number> | null = null): FormReading {
  const cursor: Cursor = { text, at: 0, forms: 0, places };
  try {
    skipBlanks(cursor);
    const form = readOne(cursor, 0);
    skipBlanks(cursor);
    if (cursor.at < text.length) throw new Unreadable("there is more text after the form", cursor.at);
    return { ok: true, form };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

/** Reads a form as a property list: keywords or symbols, each followed by its value. Refuses dotted and odd lists, other keys, and repeated keys. */
export function readPlist(form: Form): PlistReading {
  if (form.kind !== "list") return { ok: false, message: `a ${form.kind} is not a property list` };
  const entries = new Map<string, Form>();
  for (let index = 0; index < form.items.length; index += 2) {
    const key = form.items[index];
    const value = form.items[index + 1];
    if (key === undefined || !isKey(key)) {
      return { ok: false, message: `key ${index / 2 + 1} of the property list is not a keyword` };
    }
    if (value === undefined) return { ok: false, message: `the key ${shown(key.name)} has no value` };
    if (entries.has(key.name)) return { ok: false, message: `the key ${shown(key.name)} occurs twice` };
    entries.set(key.name, value);
  }
  return { ok: true, entries };
}

/** A name for a message, cut if it is long. */
function shown(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name;
}

function isKey(form: Form): form is Extract<Form, { kind: "keyword" | "symbol" }> {
  return form.kind === "keyword" || (form.kind === "symbol" && form.package === null);
}

type Cursor = {
  readonly text: string;
  at: number;
  forms: number;
  readonly places: Map<Form, number> | null;
};

const code = {
  tab: 9,
  newline: 10,
  page: 12,
  return: 13,
  space: 32,
  quotes: 34,
  closing: 41,
  dot: 46,
  backslash: 92,
} as const;

class Unreadable extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

function readOne(cursor: Cursor, depth: number): Form {
  const start = cursor.at;
  cursor.forms += 1;
  if (cursor.forms > mostForms) throw new Unreadable(`there are more than ${mostForms} forms`, start);
  const form = readAny(cursor, depth);
  cursor.places?.set(form, start);
  return form;
}

function readAny(cursor: Cursor, depth: number): Form {
  const character = cursor.text[cursor.at];
  if (depth >= deepest && (character === "(" || character === "'")) {
    throw new Unreadable(`it is nested deeper than ${deepest}`, cursor.at);
  }
  switch (character) {
    case undefined:
      throw new Unreadable("the text ends where a form is expected", cursor.at);
    case "(":
      return readList(cursor, depth);
    case ")":
      throw new Unreadable("a closing parenthesis without an opening one", cursor.at);
    case '"':
      return readString(cursor);
    case "'":
      cursor.at += 1;
      skipBlanks(cursor);
      return { kind: "quote", form: readOne(cursor, depth + 1) };
    case "#":
      return readCharacter(cursor);
    case ";":
    case "`":
    case ",":
      throw new Unreadable(`${character} is not allowed outside strings`, cursor.at);
    default:
      return readAtom(cursor);
  }
}

function readList(cursor: Cursor, depth: number): Form {
  const start = cursor.at;
  const items: Form[] = [];
  cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.at >= cursor.text.length) throw new Unreadable("the list is not closed", start);
    if (cursor.text.charCodeAt(cursor.at) === code.closing) {
      cursor.at += 1;
      return { kind: "list", items };
    }
    if (isLoneDot(cursor)) return readTail(cursor, items, depth);
    items.push(readOne(cursor, depth + 1));
  }
}

function readTail(cursor: Cursor, items: readonly Form[], depth: number): Form {
  if (items.length === 0) throw new Unreadable("there is nothing before the dot", cursor.at);
  cursor.at += 1;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] === ")") throw new Unreadable("there is nothing after the dot", cursor.at);
  const tail = readOne(cursor, depth + 1);
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== ")")
    throw new Unreadable("there is more than one form after the dot", cursor.at);
  cursor.at += 1;
  if (tail.kind === "list") return { kind: "list", items: [...items, ...tail.items] };
  if (tail.kind === "dotted") return { kind: "dotted", items: [...items, ...tail.items], tail: tail.tail };
  return { kind: "dotted", items, tail };
}

function isLoneDot({ text, at }: Cursor): boolean {
  return text.charCodeAt(at) === code.dot && /^[\s()"';`,]?$/.test(text[at + 1] ?? "");
}

function readString(cursor: Cursor): Form {
  const { text } = cursor;
  const start = cursor.at;
  let value = "";
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === code.quotes) {
      cursor.at = at + 1;
      return { kind: "string", value: value + text.slice(from, at) };
    }
    if (unit === code.backslash) {
      value += text.slice(from, at);
      from = at + 1;
      at += 1;
    }
  }
  throw new Unreadable("the string is not closed", start);
}

function readCharacter(cursor: Cursor): Form {
  const start = cursor.at;
  if (cursor.text[start + 1] !== "\\") {
    throw new Unreadable("# is allowed only in a character such as #\\a", start);
  }
  const name = /.[^\s()"';`,]*/suy;
  name.lastIndex = start + 2;
  const found = name.exec(cursor.text)?.[0];
  if (found === undefined) throw new Unreadable("the character has no name", start);
  cursor.at = start + 2 + found.length;
  const value = [...found].length === 1 ? found : namedCharacter(found.toUpperCase());
  if (value === undefined) throw new Unreadable(`there is no character named ${found.slice(0, 32)}`, start);
  return { kind: "character", value };
}

function namedCharacter(name: string): string | undefined {
  const code = /^U\+?([0-9A-F]{1,6})$/.exec(name)?.[1];
  if (code === undefined) return characterNames.get(name);
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : undefined;
}

function readAtom(cursor: Cursor): Form {
  const token = readToken(cursor.text, cursor.at);
  if (!token.ok) throw new Unreadable(token.message, token.offset);
  cursor.at = token.end;
  return token.form;
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.text.charCodeAt(cursor.at))) cursor.at += 1;
}

function isBlank(unit: number): boolean {
  return (
    unit === code.space ||
    unit === code.newline ||
    unit === code.tab ||
    unit === code.return ||
    unit === code.page
  );
}
