import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findUses, type Uses } from "./find-uses.ts";

/** The rules of a source tree, as data. Paths are relative to the tree's root and use `/`. */
export type Architecture = {
  /** What each folder may import besides itself: a folder, or one file. */
  readonly table: ReadonlyMap<string, readonly string[]>;
  /** Folders that import nothing from outside and use neither clock, chance nor the world. */
  readonly pure: readonly string[];
  /** The only files that may use processes, the network, the file system or a database. */
  readonly edges: readonly string[];
};

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
  ...["Date", "Math.random", "performance", "crypto", "eval", "Function", "queueMicrotask", "Worker"],
  ...["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"],
];
/** Names that attract everything. */
const catchAll = /\/(core|common|utils?|libs?|types|services?|helpers?)(\/|\.ts$)/;

/** Tests and what only they use: they may use anything, and nothing else may use them. */
const ofTests = /\.(test|fixture)\.ts$/;

/** What each source below `root` uses, by its path. */
export function readTree(root: string): ReadonlyMap<string, Uses> {
  const files = globSync("src/**/*.ts", { cwd: root }).filter((file) => !ofTests.test(file));
  return new Map(files.sort().map((file) => [file, findUses(readFileSync(join(root, file), "utf8"), file)]));
}

/** Every rule that a tree breaks; empty where it keeps them all. */
export function findViolations(uses: ReadonlyMap<string, Uses>, rules: Architecture): readonly Violation[] {
  const found = [...uses].flatMap(([file, used]) => [
    ...placeViolations(file, rules),
    ...importViolations(file, used, rules),
    ...worldViolations(file, used, rules),
    ...used.mutable.map((name) => ({ rule: "no mutable state in a module", file, detail: `let ${name}` })),
  ]);
  const missing = rules.edges
    .filter((edge) => !uses.has(edge))
    .map((file) => ({ rule: "an edge file exists", file, detail: "listed, and not there" }));
  return [...found, ...missing, ...cycleViolations(uses)];
}

/** The folder that a file belongs to; the empty string for a file directly below `src`. */
function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.length > 2 ? (parts[1] ?? "") : "";
}

function isLocal(spec: string): boolean {
  return spec.startsWith(".") || spec.startsWith("/");
}

function resolveSpec(file: string, spec: string): string {
  return posix.join(dirname(file), spec);
}

function placeViolations(file: string, { table }: Architecture): readonly Violation[] {
  const known = folderOf(file) === "" || table.has(folderOf(file));
  return [
    ...(known ? [] : [{ rule: "every folder is in the table", file, detail: folderOf(file) }]),
    ...(catchAll.test(file) ? [{ rule: "no name that attracts everything", file, detail: file }] : []),
  ];
}

function importViolations(file: string, uses: Uses, { table, pure }: Architecture): readonly Violation[] {
  const folder = folderOf(file);
  const allowed = table.get(folder) ?? [];
  return uses.imports.flatMap(({ spec }): Violation[] => {
    if (spec === null)
      return [{ rule: "an import names its module", file, detail: "import() of a computed name" }];
    if (!isLocal(spec)) {
      return pure.includes(folder)
        ? [{ rule: "pure folders import nothing from outside", file, detail: spec }]
        : [];
    }
    const target = resolveSpec(file, spec);
    if (ofTests.test(target)) return [{ rule: "nothing imports a test", file, detail: spec }];
    if (folder === "" || (folderOf(target) === folder && target.startsWith("src/"))) return [];
    const may =
      target.startsWith("src/") &&
      (allowed.includes(target) || (folderOf(target) !== "" && allowed.includes(folderOf(target))));
    return may ? [] : [{ rule: "folders import only what the table allows", file, detail: spec }];
  });
}

function worldViolations(file: string, uses: Uses, { pure, edges }: Architecture): readonly Violation[] {
  if (pure.includes(folderOf(file))) {
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
  ...[
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
  ],
  ...[
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
  ],
  ...["vm", "wasi", "worker_threads"],
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
