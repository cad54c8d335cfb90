import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findUses, type Uses } from "./find-uses.ts";

/** The rules of a source tree, as data. Paths are relative to the tree's root and use `/`. */
export type Architecture = {
  /** What each folder that holds sources may import besides itself. */
  readonly table: ReadonlyMap<string, Row>;
  /** Folders that, with all below them, import no package and use neither clock, chance nor the world. */
  readonly pure: readonly string[];
  /** Folders that, with all below them, import no package, no module of Node, and nothing of the rest of the tree. */
  readonly alone: readonly string[];
  /** Names in `package.json` under `imports`, with the file that each one leads to. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The only files that may use processes, the network, the file system or a database. */
  readonly edges: readonly string[];
};

/** What one folder may import: folders with all below them, or single files; from `types` only types. */
export type Row = { readonly imports: readonly string[]; readonly types: readonly string[] };

/** One rule broken by one file, in words. */
export type Violation = { readonly rule: string; readonly file: string; readonly detail: string };

/** Modules of Node that reach nothing outside the process. Every other one is the world. */
const harmless = ["async_hooks", "buffer", "crypto", "events", "path", "string_decoder", "url", "util"];
const worldGlobals = [
  "process",
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "globalThis",
  "global",
  "console",
  "require",
];
const impureGlobals = [
  ...worldGlobals,
  "Date",
  "Math.random",
  "performance",
  "crypto",
  "eval",
  "Function",
  "queueMicrotask",
  "Worker",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
];
/** Globals that a browser has not. */
const nodeGlobals = ["Buffer", "process", "global", "require", "setImmediate", "clearImmediate"];
/** Names that attract everything. */
const catchAll = /\/(core|common|utils?|libs?|types|services?|helpers?)(\/|\.ts$)/;

/** Tests and what only they use: they may use anything, and nothing else may use them. */
const ofTests = /\.(test|fixture)\.ts$/;

/** What each source below `root` uses, by its path. */
export function readTree(root: string): ReadonlyMap<string, Uses> {
  return readFiles(root, (file) => !ofTests.test(file));
}

/** The folders in a cycle where fixtures count as sources. */
export function folderCyclesWithFixtures(root: string): readonly Violation[] {
  return folderCycleViolations(readFiles(root, (file) => !file.endsWith(".test.ts")));
}

function readFiles(root: string, wanted: (file: string) => boolean): ReadonlyMap<string, Uses> {
  const files = globSync(["src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root }).filter(wanted);
  return new Map(files.sort().map((file) => [file, findUses(readFileSync(join(root, file), "utf8"), file)]));
}

/** Every rule that a tree breaks; empty where it keeps them all. */
export function findViolations(
  sources: ReadonlyMap<string, Uses>,
  rules: Architecture,
): readonly Violation[] {
  const uses = new Map([...sources].map(([file, used]) => [file, followAliases(file, used, rules)]));
  const missing = rules.edges
    .filter((edge) => !uses.has(edge))
    .map((file) => ({ rule: "an edge file exists", file, detail: "listed, and not there" }));
  return [
    ...[...uses].flatMap(([file, used]) => fileViolations(file, used, rules)),
    ...missing,
    ...cycleViolations(uses),
    ...folderCycleViolations(uses),
  ];
}

/** The rules that one file breaks by itself, whatever the other files are. */
export function fileViolations(file: string, found: Uses, rules: Architecture): readonly Violation[] {
  const used = followAliases(file, found, rules);
  return [
    ...placeViolations(file, rules),
    ...importViolations(file, used, rules),
    ...worldViolations(file, used, rules),
    ...used.mutable.map((name) => ({ rule: "no mutable state in a module", file, detail: `let ${name}` })),
  ];
}

/** Writes an alias as the relative path of the file that it leads to, so that every rule holds for it. */
function followAliases(file: string, uses: Uses, { aliases }: Architecture): Uses {
  const imports = uses.imports.map(({ spec, typeOnly }) => {
    const target = spec === null ? undefined : aliases.get(spec);
    if (target === undefined) return { spec, typeOnly };
    const path = posix.relative(dirname(file), target);
    return { spec: path.startsWith(".") ? path : `./${path}`, typeOnly };
  });
  return { ...uses, imports };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function isLocal(spec: string): boolean {
  return spec.startsWith(".") || spec.startsWith("/");
}

function resolveSpec(file: string, spec: string): string {
  return posix.join(dirname(file), spec);
}

function placeViolations(file: string, { table }: Architecture): readonly Violation[] {
  return [
    ...(table.has(dirname(file))
      ? []
      : [{ rule: "every folder is in the table", file, detail: dirname(file) }]),
    ...(file.startsWith("src/") && dirname(file) === "src" && file !== "src/main.ts"
      ? [{ rule: "nothing but main.ts lies at the root", file, detail: file }]
      : []),
    ...(catchAll.test(file) ? [{ rule: "no name that attracts everything", file, detail: file }] : []),
  ];
}

function importViolations(file: string, uses: Uses, rules: Architecture): readonly Violation[] {
  return uses.imports.flatMap(({ spec, typeOnly }): readonly Violation[] => {
    if (spec === null)
      return [{ rule: "an import names its module", file, detail: "import() of a computed name" }];
    if (!isLocal(spec)) return packageViolations(file, spec, rules);
    const target = resolveSpec(file, spec);
    if (ofTests.test(target)) return [{ rule: "nothing imports a test", file, detail: spec }];
    if (dirname(target) === dirname(file)) return [];
    if (featureOf(target) !== null && featureOf(target) !== featureOf(file) && !isFace(target))
      return [{ rule: "a feature is reached by its face", file, detail: spec }];
    const { imports, types } = rules.table.get(dirname(file)) ?? { imports: [], types: [] };
    const allowed = typeOnly ? [...imports, ...types] : imports;
    const may = allowed.some((place) => isIn(target, place));
    return may ? [] : [{ rule: "folders import only what the table allows", file, detail: spec }];
  });
}

function packageViolations(file: string, spec: string, { pure, alone }: Architecture): readonly Violation[] {
  const broken = [
    ...(pure.some((folder) => isIn(file, folder)) ? ["pure folders import nothing from outside"] : []),
    ...(alone.some((folder) => isIn(file, folder)) ? ["a lone package imports nothing from outside"] : []),
  ];
  return broken.map((rule) => ({ rule, file, detail: spec }));
}

function worldViolations(file: string, uses: Uses, rules: Architecture): readonly Violation[] {
  return [...nodeViolations(file, uses, rules), ...outsideViolations(file, uses, rules)];
}

function nodeViolations(file: string, uses: Uses, { alone }: Architecture): readonly Violation[] {
  if (!alone.some((folder) => isIn(file, folder))) return [];
  return uses.globals
    .filter((name) => nodeGlobals.includes(name))
    .map((detail) => ({ rule: "a lone package uses nothing that only Node has", file, detail }));
}

function outsideViolations(file: string, uses: Uses, { pure, edges }: Architecture): readonly Violation[] {
  if (pure.some((folder) => isIn(file, folder))) {
    return uses.globals
      .filter((name) => impureGlobals.includes(name))
      .map((detail) => ({ rule: "pure folders use no clock, no chance and no world", file, detail }));
  }
  if (edges.includes(file)) return [];
  const modules = uses.imports.filter(({ spec, typeOnly }) => spec !== null && !typeOnly && isWorld(spec));
  const globals = uses.globals.filter((name) => worldGlobals.includes(name));
  return [...modules.map(({ spec }) => spec ?? ""), ...globals].map((detail) => ({
    rule: "only the edge files touch the world",
    file,
    detail,
  }));
}

/** Node's modules are the world unless they are known not to be, with or without `node:`. */
function isWorld(spec: string): boolean {
  const name = spec.replace(/^node:/, "").split("/")[0] ?? "";
  const ofNode = spec.startsWith("node:") || bare.includes(name);
  return ofNode && !harmless.includes(name);
}

const bare = [
  "child_process",
  "cluster",
  "dgram",
  "diagnostics_channel",
  "dns",
  "fs",
  "http",
  "http2",
  "https",
  "inspector",
  "module",
  "net",
  "os",
  "perf_hooks",
  "process",
  "readline",
  "repl",
  "sqlite",
  "timers",
  "tls",
  "tty",
  "v8",
  "vm",
  "wasi",
  "worker_threads",
];

function cycleViolations(uses: ReadonlyMap<string, Uses>): readonly Violation[] {
  const found: Violation[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      found.push({ rule: "no cycles", file, detail: [...path.slice(start), file].join(" → ") });
      return;
    }
    if (done.has(file)) return;
    for (const { spec } of uses.get(file)?.imports ?? []) {
      if (spec !== null && isLocal(spec)) visit(resolveSpec(file, spec), [...path, file]);
    }
    done.add(file);
  };
  for (const file of uses.keys()) visit(file, []);
  return found;
}

/** Folders in a cycle, at any depth at which the tree can be cut: a folder that holds files and folders counts as one of them. */
function folderCycleViolations(uses: ReadonlyMap<string, Uses>): readonly Violation[] {
  const deepest = Math.max(0, ...[...uses.keys()].map((file) => file.split("/").length - 1));
  const cycles = Array.from({ length: deepest }, (_, index) => cyclesAtDepth(uses, index + 1)).flat();
  return [...new Map(cycles).entries()].map(([file, way]) => ({
    rule: "no cycles between folders",
    file,
    detail: way.join(" → "),
  }));
}

/** The folder of a file. The face of a feature counts as a folder above it, since it leads into all of it. */
function folderOf(file: string): string {
  return isFace(file) ? file : dirname(file);
}

/** Whether a file is the one file by which other folders may reach a feature. */
function isFace(file: string): boolean {
  return /^src\/features\/[^/]+\/feature\.ts$/.test(file);
}

/** The folder of the feature that a file belongs to; null outside of the features. */
function featureOf(file: string): string | null {
  return /^src\/features\/[^/]+\//.exec(file)?.[0] ?? null;
}

function cyclesAtDepth(
  uses: ReadonlyMap<string, Uses>,
  depth: number,
): readonly (readonly [string, readonly string[]])[] {
  const place = (file: string): string => folderOf(file).split("/").slice(0, depth).join("/");
  const arrows = new Map<string, Set<string>>();
  for (const [file, { imports }] of uses) {
    const from = place(file);
    const targets = arrows.get(from) ?? new Set<string>();
    arrows.set(from, targets);
    for (const { spec } of imports) {
      if (spec !== null && isLocal(spec)) targets.add(place(resolveSpec(file, spec)));
    }
    targets.delete(from);
  }
  return [...arrows.keys()].flatMap((folder) => {
    const way = wayBack(arrows, folder);
    return way === null ? [] : [[folder, way] as const];
  });
}

/** The shortest way from a folder over others back to itself; null where there is none. */
function wayBack(arrows: ReadonlyMap<string, ReadonlySet<string>>, folder: string): readonly string[] | null {
  const seen = new Set<string>();
  let ways: readonly (readonly string[])[] = [[folder]];
  while (ways.length > 0) {
    const next: (readonly string[])[] = [];
    for (const way of ways) {
      for (const target of arrows.get(way.at(-1) ?? "") ?? []) {
        if (target === folder) return [...way, target];
        if (!seen.has(target)) next.push([...way, target]);
        seen.add(target);
      }
    }
    ways = next;
  }
  return null;
}
