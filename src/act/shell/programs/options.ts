/** What kind of value an option takes: none, a word, an optional word, or a path that is read. */
export type OptionKind = "flag" | "word" | "optional" | "contents" | "names";
/** The known options of a program. They are parsed on first use, because there are thousands. */
export type OptionTable = () => ReadonlyMap<string, OptionKind>;

type Doubt = { readonly ok: false; readonly doubt: string };
type Read = {
  readonly ok: true;
  readonly options: readonly { readonly name: string; readonly kind: OptionKind; readonly value: string }[];
};

/** Arguments split into options and operands as `getopt_long` splits them, or why they cannot be. */
export type OptionsAndOperands =
  | (Read & {
      readonly operands: readonly string[];
      /** Index of the first operand after `--`. */
      readonly afterDashes: number;
      /** Index of `--` among the arguments; their number if there is none. */
      readonly endOfOptions: number;
    })
  | Doubt;

const kinds = new Map<string, OptionKind>([
  ["=", "word"],
  ["?", "optional"],
  ["=contents", "contents"],
  ["=names", "names"],
]);

/**
 * Makes a table from one text: `-a` is a flag, `-w=` takes a word, `--color?` takes an optional word,
 * `-f=contents` takes a file that is read, `-f=names` one that is only named. `-#` allows a number as an option (`head -5`).
 */
export function makeOptionTable(text: string): OptionTable {
  const read: { table: ReadonlyMap<string, OptionKind> | null } = { table: null };
  return () => {
    read.table ??= readTable(text);
    return read.table;
  };
}

function readTable(text: string): ReadonlyMap<string, OptionKind> {
  const table = new Map<string, OptionKind>();
  for (const entry of text.split(" ").filter((part) => part !== "")) {
    const [, name = entry, ending = ""] = /^(--?[^=?]+)(.*)$/.exec(entry) ?? [];
    table.set(name, kinds.get(ending) ?? "flag");
  }
  return table;
}

/** Splits the arguments after the program's name. An option that is not in the table, or is abbreviated, is a doubt. */
export function readArguments(args: readonly string[], table: OptionTable): OptionsAndOperands {
  const options: Read["options"][number][] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") {
      const afterDashes = operands.length;
      return {
        ok: true,
        options,
        operands: [...operands, ...args.slice(at + 1)],
        afterDashes,
        endOfOptions: at,
      };
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const found = readOption(word, args[at + 1], table);
    if (!found.ok) return found;
    for (const each of found.options) options.push(each);
    if (found.tookNext) at += 1;
  }
  return { ok: true, options, operands, afterDashes: operands.length, endOfOptions: args.length };
}

/** The options before the first operand, as programs read them that start another one; `rest` begins with that operand. */
export function readLeadingOptions(
  args: readonly string[],
  table: OptionTable,
): (Read & { readonly rest: readonly string[] }) | Doubt {
  const options: Read["options"][number][] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") return { ok: true, options, rest: args.slice(at + 1) };
    if (!word.startsWith("-") || word === "-") return { ok: true, options, rest: args.slice(at) };
    const found = readOption(word, args[at + 1], table);
    if (!found.ok) return found;
    for (const each of found.options) options.push(each);
    if (found.tookNext) at += 1;
  }
  return { ok: true, options, rest: [] };
}

function readOption(word: string, next: string | undefined, table: OptionTable): OptionsReading {
  return word.startsWith("--") ? readLong(word, next, table) : readShort(word, next, table);
}

type OptionsReading = (Read & { readonly tookNext: boolean }) | Doubt;

function unknown(option: string): OptionsReading {
  return { ok: false, doubt: `the option ${option} is not known to be harmless` };
}

function readLong(word: string, next: string | undefined, table: OptionTable): OptionsReading {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const kind = table().get(name);
  if (kind === undefined) return unknown(name);
  if (equals >= 0) {
    if (kind === "flag") return unknown(word);
    return { ok: true, options: [{ name, kind, value: word.slice(equals + 1) }], tookNext: false };
  }
  if (kind === "flag" || kind === "optional") {
    return { ok: true, options: [{ name, kind: "flag", value: "" }], tookNext: false };
  }
  if (next === undefined) return { ok: false, doubt: `the option ${name} lacks its value` };
  return { ok: true, options: [{ name, kind, value: next }], tookNext: true };
}

function readShort(word: string, next: string | undefined, table: OptionTable): OptionsReading {
  if (table().has("-#") && /^-[0-9]+$/.test(word)) {
    return { ok: true, options: [{ name: "-#", kind: "word", value: word.slice(1) }], tookNext: false };
  }
  const options: Read["options"][number][] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word.charAt(at)}`;
    const kind = table().get(name);
    if (kind === undefined) return unknown(name);
    if (kind === "flag") {
      options.push({ name, kind, value: "" });
      continue;
    }
    const rest = word.slice(at + 1);
    // Some programs leave the sign out of the value, others do not: the file that is read would not be the one that was judged.
    if (rest.startsWith("=") && (kind === "contents" || kind === "names"))
      return { ok: false, doubt: `it is not known which file ${name}${rest} names` };
    if (rest !== "" || kind === "optional") {
      return { ok: true, options: [...options, { name, kind, value: rest }], tookNext: false };
    }
    if (next === undefined) return { ok: false, doubt: `the option ${name} lacks its value` };
    return { ok: true, options: [...options, { name, kind, value: next }], tookNext: true };
  }
  return { ok: true, options, tookNext: false };
}
