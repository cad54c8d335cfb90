// Org's parser beside three others from npm, each in a process of its own, over the same files: what is printed back byte for byte, what is found
// beside Emacs, speed and memory. The others are installed into a folder of this run; they are no dependencies. Prints figures, asserts nothing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { decodeOrgText, encodeOrgText, parseOrg, printOrg, treeToJson } from "#org";
import { noGoldens, readWholeGoldens } from "../test/org/outline-goldens.ts";

const packages = {
  "uniorg-parse": "3.2.2",
  "uniorg-stringify": "1.4.0",
  orga: "4.7.1",
  "org-mode-ast": "0.11.8",
};
const peers = ["@passepartout/org", "uniorg", "orga", "org-mode-ast"] as const;
const kinds = ["headlines", "timestamps", "properties"] as const;
const emacsTypes = { headlines: ["headline"], timestamps: ["timestamp"], properties: ["node-property"] };
const rounds = 3;
/** A peer's process writes its figures here, since org-mode-ast writes to standard output. */
const figures = "figures";
/** A peer that takes longer for all files is stopped. Milliseconds. */
const longest = 240_000;

type Peer = (typeof peers)[number];
type Counts = Readonly<Record<(typeof kinds)[number], number>>;
/** How a parser is used: `print` is null for one that has no printer. */
type Parser = {
  readonly parse: (bytes: Buffer) => unknown;
  readonly count: (tree: unknown) => Counts;
  readonly print: ((tree: unknown) => Uint8Array) | null;
};

function comparePeers(): void {
  const folder = mkdtempSync(join(tmpdir(), "org-peers-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", ["install", ...options], { cwd: folder, stdio: ["ignore", 2, 2] });
    for (const peer of peers) {
      if (peer !== "@passepartout/org" && status !== 0) {
        process.stdout.write(`${peer}: npm could not install it\n`);
        continue;
      }
      const run = spawnSync(
        process.execPath,
        [...process.execArgv, fileURLToPath(import.meta.url), peer, folder],
        {
          encoding: "utf8",
          timeout: longest,
          maxBuffer: 1e8,
        },
      );
      const why = run.error?.message ?? run.stderr.trim().split("\n").at(-1);
      process.stdout.write(
        `${peer}: ${run.status === 0 ? readFileSync(join(folder, figures), "utf8") : `stopped (${why})\n`}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measurePeer({ parse, count, print }: Parser, folder: string): void {
  const files = readWholeGoldens();
  const before = process.memoryUsage().rss;
  const rates: number[] = [];
  let thrown = 0;
  let printed = 0;
  const sameCounts = new Map(kinds.map((kind) => [kind, 0]));
  for (let round = 0; round < rounds; round += 1) {
    let microseconds = 0;
    let megabytes = 0;
    for (const { bytes, golden } of files) {
      const start = process.cpuUsage();
      const tree = attempt(() => parse(bytes));
      const { user, system } = process.cpuUsage(start);
      microseconds += user + system;
      megabytes += bytes.length / 1e6;
      if (round > 0) continue;
      if (tree === undefined) {
        thrown += 1;
        continue;
      }
      const ours = count(tree);
      const theirs = countTypes(golden.ast, emacsTypes);
      for (const kind of kinds) {
        if (ours[kind] === theirs[kind]) sameCounts.set(kind, (sameCounts.get(kind) ?? 0) + 1);
      }
      if (print !== null && attempt(() => bytes.equals(print(tree))) === true) printed += 1;
    }
    rates.push(megabytes / (microseconds / 1e6));
  }
  const peak = process.resourceUsage().maxRSS / 1024 - before / 1e6;
  const back = print === null ? "has no printer" : `prints ${printed} of ${files.length} back byte for byte`;
  const found = kinds.map((kind) => `${kind} in ${sameCounts.get(kind)}`).join(", ");
  writeFileSync(
    join(folder, figures),
    `${back}; throws on ${thrown}; finds as many as Emacs: ${found}; ${Math.max(...rates).toFixed(2)} MB/s; +${peak.toFixed(0)} MB at its peak\n`,
  );
}

/** What a piece of work gives; nothing where it throws. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Counts the nodes of some types anywhere in a tree of plain objects, each once; what leads back up is not followed. */
function countTypes(
  tree: unknown,
  types: Readonly<Record<(typeof kinds)[number], readonly string[]>>,
): Counts {
  const found = { headlines: 0, timestamps: 0, properties: 0 };
  const seen = new Set<unknown>();
  const left: unknown[] = [tree];
  for (let node = left.pop(); left.length > 0 || node !== undefined; node = left.pop()) {
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const type: unknown = Reflect.get(node, "type");
    for (const kind of kinds) if (types[kind].includes(String(type))) found[kind] += 1;
    for (const [key, value] of Object.entries(node)) if (key !== "parent") left.push(value);
  }
  return found;
}

async function loadParser(name: string, folder: string): Promise<Parser> {
  const peer = peers.find((known): known is Peer => known === name);
  const load = async (module: string): Promise<object> => {
    const path = createRequire(join(folder, "package.json")).resolve(module);
    return objectOf(await import(pathToFileURL(path).href));
  };
  switch (peer) {
    case undefined:
      throw new Error(`no parser is named ${name}`);
    case "@passepartout/org":
      return ownParser();
    case "uniorg":
      return uniorgParser(
        await load("uniorg-parse/lib/parser.js"),
        await load("uniorg-stringify/lib/stringify.js"),
      );
    case "orga":
      return orgaParser(await load("orga"));
    case "org-mode-ast":
      return orgModeAstParser(await load("org-mode-ast"));
  }
}

function ownParser(): Parser {
  const isOwn = (tree: unknown): tree is ReturnType<typeof parseOwn> => typeof tree === "object";
  const parseOwn = (bytes: Buffer) => {
    const source = decodeOrgText(bytes);
    return { source, tree: parseOrg(source.text) };
  };
  const own = (tree: unknown) => {
    if (!isOwn(tree)) throw new Error("this tree is of another parser");
    return tree;
  };
  return {
    parse: parseOwn,
    count(parsed) {
      const { source, tree } = own(parsed);
      return countTypes(JSON.parse([...treeToJson(source.text, tree)].join("")), emacsTypes);
    },
    print(parsed) {
      const { source, tree } = own(parsed);
      return encodeOrgText({ ...source, text: printOrg(source.text, tree) });
    },
  };
}

function uniorgParser(parser: object, printer: object): Parser {
  return {
    parse: (bytes) => call(parser, "parse", bytes.toString()),
    count: (tree) => countTypes(tree, emacsTypes),
    print: (tree) => Buffer.from(String(call(printer, "stringify", tree))),
  };
}

function orgaParser(module: object): Parser {
  const types = { headlines: ["headline"], timestamps: ["timestamp", "planning.timestamp"], properties: [] };
  return {
    parse: (bytes) => call(module, "parse", bytes.toString()),
    count: (tree) => ({ ...countTypes(tree, types), properties: countOrgaProperties(tree) }),
    print: null,
  };
}

/** orga keeps the properties of a section, and of the document, as an object; the document's are its keywords. */
function countOrgaProperties(tree: unknown): number {
  const children: unknown = Reflect.get(objectOf(tree), "children");
  return (Array.isArray(children) ? children : []).reduce((sum: number, child: unknown) => {
    const isSection = Reflect.get(objectOf(child), "type") === "section";
    const properties: object = isSection ? objectOf(Reflect.get(objectOf(child), "properties")) : {};
    const own = Object.keys(properties).length;
    return sum + own + countOrgaProperties(child);
  }, 0);
}

function orgModeAstParser(module: object): Parser {
  return {
    parse: (bytes) => call(module, "parse", bytes.toString()),
    count: (tree) => countOrgModeAst(module, tree),
    print: (tree) => Buffer.from(String(Reflect.get(objectOf(tree), "rawValue"))),
  };
}

/** org-mode-ast has a node for each line of a property drawer, its first and last included, and one for each end of a range of dates. */
function countOrgModeAst(module: object, tree: unknown): Counts {
  const found = { headlines: 0, timestamps: 0, properties: 0 };
  call(module, "walkTree", tree, (node: unknown) => {
    const type = String(Reflect.get(objectOf(node), "type"));
    const parent = String(Reflect.get(objectOf(Reflect.get(objectOf(node), "parent")), "type"));
    if (type === "headline") found.headlines += 1;
    if (type === "dateRange" || (type === "date" && parent !== "dateRange")) found.timestamps += 1;
    const isLine =
      type === "property" &&
      !/^\s*:(?:properties|end):/i.test(String(Reflect.get(objectOf(node), "rawValue")));
    if (isLine) found.properties += 1;
    return false;
  });
  return found;
}

function call(module: object, name: string, ...args: readonly unknown[]): unknown {
  const member: unknown = Reflect.get(module, name);
  if (typeof member !== "function") throw new Error(`there is no ${name}`);
  return Reflect.apply(member, undefined, args);
}

/** The value where it is an object; an empty object otherwise. */
function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

const [, , child, modules = ""] = process.argv;
if (noGoldens !== false) process.stdout.write(`${noGoldens}\n`);
else if (child === undefined) comparePeers();
else measurePeer(await loadParser(child, modules), modules);
