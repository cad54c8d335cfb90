/** A value of the part of TOML 1.0 that settings of agents are written in. */
export type TomlValue = string | number | boolean | TomlArray | TomlTable;

export class TomlTable {
  readonly entries = new Map<string, TomlValue>();
}

export class TomlArray {
  readonly items: readonly TomlValue[];

  constructor(items: readonly TomlValue[]) {
    this.items = items;
  }
}

/** A text that is no such TOML. */
class TomlError extends Error {
  override readonly name = "TomlError";
}

/**
 * Parses tables, arrays of tables and dotted keys with strings, numbers, booleans, arrays and inline tables. Times are strings. Throws a `TomlError` with
 * the line where it is anything else, or a name stands twice.
 */
export function parseToml(text: string): TomlTable {
  const root = new TomlTable();
  const reader = new TomlReader(text.replaceAll("\r\n", "\n"));
  let table = root;
  for (reader.skipAll(); !reader.isAtEnd; reader.skipAll()) {
    if (reader.take("[[")) {
      const keys = reader.keys();
      reader.expect("]]");
      table = appendTable(root, keys, reader);
    } else if (reader.take("[")) {
      const keys = reader.keys();
      reader.expect("]");
      table = tableAt(root, keys, reader);
    } else assign(table, reader);
    reader.endLine();
  }
  return root;
}

function assign(table: TomlTable, reader: TomlReader): void {
  const keys = reader.keys();
  reader.expect("=");
  const last = keys.at(-1) ?? "";
  const { entries } = tableAt(table, keys.slice(0, -1), reader);
  if (entries.has(last)) reader.fail(`${last} stands twice`);
  entries.set(last, reader.value());
}

function tableAt(from: TomlTable, keys: readonly string[], reader: TomlReader): TomlTable {
  let table = from;
  for (const key of keys) {
    const found = table.entries.get(key);
    const inner = found instanceof TomlArray ? found.items.at(-1) : (found ?? new TomlTable());
    if (!(inner instanceof TomlTable)) return reader.fail(`${key} is no table`);
    if (found === undefined) table.entries.set(key, inner);
    table = inner;
  }
  return table;
}

function appendTable(root: TomlTable, keys: readonly string[], reader: TomlReader): TomlTable {
  const { entries } = tableAt(root, keys.slice(0, -1), reader);
  const last = keys.at(-1) ?? "";
  const before = entries.get(last) ?? new TomlArray([]);
  if (!(before instanceof TomlArray)) return reader.fail(`${last} is no array of tables`);
  const table = new TomlTable();
  entries.set(last, new TomlArray([...before.items, table]));
  return table;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\u001b"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** How deep values may lie in each other. */
const deepest = 20;

class TomlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  fail(why: string): never {
    throw new TomlError(`line ${this.#text.slice(0, this.#at).split("\n").length}: ${why}`);
  }

  /** Takes what matches here; null if nothing does. */
  #match(pattern: RegExp): string | null {
    const sticky = new RegExp(pattern, "uy");
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  take(token: string): boolean {
    this.#match(/[ \t]*/);
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`${token} is missing`);
  }

  /** Skips blanks, ends of lines and comments. */
  skipAll(): void {
    this.#match(/(?:[ \t\n]+|#[^\n]*)*/);
  }

  endLine(): void {
    this.#match(/[ \t]*(?:#[^\n]*)?/);
    if (!this.isAtEnd && this.#text[this.#at] !== "\n") this.fail("the line goes on");
  }

  keys(): readonly string[] {
    const keys = [this.#key()];
    while (this.take(".")) keys.push(this.#key());
    return keys;
  }

  #key(): string {
    this.#match(/[ \t]*/);
    return this.#string(false) ?? this.#match(/[\w-]+/) ?? this.fail("a name is missing");
  }

  value(depth = 0): TomlValue {
    if (depth > deepest) this.fail("values lie too deep in each other");
    this.#match(/[ \t]*/);
    const text = this.#string(true);
    if (text !== null) return text;
    if (this.take("[")) return this.#array(depth);
    if (this.take("{")) return this.#inlineTable(depth);
    const word = this.#match(/[\w.:+-]+/) ?? this.fail("a value is missing");
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word.replaceAll("_", ""));
    return Number.isNaN(number) ? word : number;
  }

  #array(depth: number): TomlArray {
    const values: TomlValue[] = [];
    for (this.skipAll(); !this.take("]"); this.skipAll()) {
      values.push(this.value(depth + 1));
      this.skipAll();
      if (this.take(",")) continue;
      this.expect("]");
      break;
    }
    return new TomlArray(values);
  }

  #inlineTable(depth: number): TomlTable {
    const table = new TomlTable();
    for (this.skipAll(); !this.take("}"); this.skipAll()) {
      const keys = this.keys();
      this.expect("=");
      tableAt(table, keys.slice(0, -1), this).entries.set(keys.at(-1) ?? "", this.value(depth + 1));
      this.skipAll();
      if (this.take(",")) continue;
      this.expect("}");
      break;
    }
    return table;
  }

  #string(mayBeLong: boolean): string | null {
    const long = mayBeLong ? this.#match(/"""\n?|'''\n?/) : null;
    if (long !== null) {
      const body = this.#match(long[0] === '"' ? /(?:\\[\s\S]|(?!""")[^\\])*/ : /(?:(?!''')[\s\S])*/) ?? "";
      this.expect(long.slice(0, 3));
      return long[0] === '"' ? this.#unescape(body) : body;
    }
    const literal = this.#match(/'[^'\n]*'/);
    if (literal !== null) return literal.slice(1, -1);
    const basic = this.#match(/"(?:\\.|[^"\\\n])*"/);
    return basic === null ? null : this.#unescape(basic.slice(1, -1));
  }

  #unescape(body: string): string {
    const escaped = /\\(?:u([\da-f]{4})|U([\da-f]{8})|\s*\n\s*|([\s\S]))/gi;
    return body.replaceAll(escaped, (_, four?: string, eight?: string, one?: string) => {
      const code = four ?? eight;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ffff));
      return one === undefined ? "" : (escapes.get(one) ?? this.fail(`\\${one} means nothing`));
    });
  }
}
