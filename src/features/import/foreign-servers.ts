import { parseToml, TomlArray, TomlTable, type TomlValue } from "./parse-toml.ts";

/** A server as another agent has it: a program, or an address. Nothing of it is believed yet. */
export type ForeignServer = {
  readonly name: string;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly url: string | null;
  readonly headers: ReadonlyMap<string, string>;
  /** Further keys of its entry, by name: they are not imported. */
  readonly others: readonly string[];
};

/** Reads the servers of a settings file. Throws where it cannot be parsed. */
export type ReadServers = (text: string) => Promise<readonly ForeignServer[]>;

/** A plain tree, whatever it was written in. */
type Tree = unknown;

/** Keys of an entry that are imported, or that say nothing more. */
const importedKeys: ReadonlySet<string> = new Set(
  "command args env url headers http_headers type enabled disabled".split(" "),
);
/** The most servers of one file. */
const mostServers = 100;

/** JSON with comments and without quotes, as OpenClaw writes it, is close enough to YAML; so is what Hermes writes. */
export function serversOfYaml(keys: readonly string[]): ReadServers {
  return async (text) => serversIn(await parseLoose(text), keys);
}

export function serversOfJson(keys: readonly string[]): ReadServers {
  return async (text) => serversIn(JSON.parse(text), keys);
}

export const serversOfCodex: ReadServers = async (text) => serversIn(plain(parseToml(text)), ["mcp_servers"]);

/** Parses YAML, JSON, or JSON with comments. Aliases count for nothing, so that none can make a text large. */
export async function parseLoose(text: string): Promise<Tree> {
  const { parse } = await import("yaml");
  return parse(withoutComments(text), { maxAliasCount: 0, logLevel: "error" });
}

/** JSON without the comments that JSON5 allows; a text that begins as no JSON stays as it is. */
function withoutComments(text: string): string {
  if (!/^\s*(?:[{[]|\/[/*])/.test(text)) return text;
  return text.replaceAll(
    /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
}

/** Tables as objects, arrays as arrays. */
export function plain(value: TomlValue): Tree {
  if (value instanceof TomlArray) return value.items.map(plain);
  if (!(value instanceof TomlTable)) return value;
  return Object.fromEntries([...value.entries].map(([key, inner]): [string, Tree] => [key, plain(inner)]));
}

/** What stands in a tree under these keys; undefined where nothing does. */
export function valueAt(tree: Tree, keys: readonly string[]): Tree {
  let found = tree;
  for (const key of keys) found = entriesOf(found).get(key);
  return found;
}

/** The own entries of an object; none of anything else. */
export function entriesOf(tree: Tree): ReadonlyMap<string, unknown> {
  const isObject = typeof tree === "object" && tree !== null && !Array.isArray(tree);
  return isObject ? new Map(Object.entries(tree)) : new Map();
}

function serversIn(tree: Tree, keys: readonly string[]): readonly ForeignServer[] {
  return [...entriesOf(valueAt(tree, keys))].slice(0, mostServers).map(([name, entry]) => {
    const fields = entriesOf(entry);
    const args = fields.get("args");
    return {
      name,
      command: textOf(fields.get("command")),
      args: (Array.isArray(args) ? args : []).flatMap((one) => textOf(one) ?? []),
      env: textsOf(fields.get("env")),
      url: textOf(fields.get("url")),
      headers: new Map([...textsOf(fields.get("headers")), ...textsOf(fields.get("http_headers"))]),
      others: [...fields.keys()].filter((key) => !importedKeys.has(key)),
    };
  });
}

function textsOf(tree: Tree): ReadonlyMap<string, string> {
  return new Map(
    [...entriesOf(tree)].flatMap(([name, value]) => {
      const text = textOf(value);
      return text === null ? [] : [[name, text] as const];
    }),
  );
}

/** A text, or a number or truth value as text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
