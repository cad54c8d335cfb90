// Breaks the source of each row of docs/parity.md that claims to be done, and expects its test to turn red: `npm run mutations [ROW…]`, by hand.
// A row's mutation is kept in test/parity-mutations.json. For a row without one, or whose line has changed, one is searched for among the operators and
// results of the files that the row lives in, and kept; better is one that breaks what the row says, written by hand. A row whose test stays green is printed, and so is each row without a mutation.
// Nothing of the working tree is changed but that list: the work is done in a copy.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProvedRow, readRows } from "./parity.ts";
import { type Mutation, mutate, parseMutations } from "./parity-mutations.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const list = join(root, "test", "parity-mutations.json");
/** Mutations that are tried for a row. */
const mostTries = 14;
/** A mutated test that takes longer than this, and than several times what it takes as it is, hangs, which is red too. Milliseconds. */
const longest = 60_000;
const times = 5;
/** What a test may take as it is: a machine may have much else to do. Milliseconds. */
const longestWhole = 600_000;

const operators: readonly (readonly [RegExp, string])[] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ >= /, " < "],
  [/ <= /, " > "],
  [/ > /, " <= "],
  [/ < /, " >= "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/\btrue\b/, "false"],
  [/\bfalse\b/, "true"],
  [/^(\s*)return .*;$/, '$1throw new Error("mutated");'],
  [/^(\s*)if \((.*)\) /, "$1if (!($2)) "],
  [/(?<=[ ([])"[\w .:-]{3,}"(?!:)/, '"mutated"'],
  [/`[^`]{3,}`/, '"mutated"'],
  [/^(\s*)this\.#?\w+ = .*;$/, "$1void 0;"],
  [/^(\s*)(?:await )?[\w.#?]+\(.*\);$/, "$1void 0;"],
];

function findMutations(folder: string, file: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    if (/^\s*(\*|\/\/|\/\*|import|export type|export \{|readonly |\||type )/.test(line)) continue;
    const occurrence = lines.slice(0, index).filter((other) => other === line).length;
    for (const [pattern, put] of operators) {
      const replacement = line.replace(pattern, put);
      if (replacement === line) continue;
      found.push({ file, line, occurrence, replacement });
      break;
    }
  }
  return found;
}

/** So many of the candidates, spread over the file. */
function spread<T>(candidates: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, candidates.length / most);
  return Array.from(
    { length: Math.min(most, candidates.length) },
    (_, at) => candidates[Math.floor(at * step)],
  ).filter((candidate) => candidate !== undefined);
}

/** Whether a file can be parsed: one that cannot would turn every test red. */
function isProgram(file: string, text: string): boolean {
  if (!file.endsWith(".ts")) return true;
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}

function run(folder: string, args: readonly string[], limit: number): Promise<boolean> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    cwd: folder,
    stdio: "ignore",
    detached: true,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, ".passepartout", "compiled") },
  });
  const { pid } = child;
  const timer = setTimeout(() => {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  }, limit);
  return new Promise((done) => {
    child.once("exit", (code) => {
      clearTimeout(timer);
      done(code === 0);
    });
  });
}

/** Whether the tests of a row pass. Tests outside `src` may run the build. */
async function passes(folder: string, { tests }: ProvedRow, limit: number): Promise<boolean> {
  const isOfBuild = tests.some(({ file }) => file.startsWith("test/"));
  if (isOfBuild && !(await run(folder, ["scripts/build.ts"], longestWhole))) return false;
  for (const { file, name } of tests) {
    const pattern = `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;
    if (!(await run(folder, ["--test", `--test-name-pattern=${pattern}`, file], limit))) return false;
  }
  return true;
}

/** A row with the milliseconds that a test of it may take. */
type Tried = { readonly row: ProvedRow; readonly limit: number };

/** Whether a mutation turns the tests of a row red; null where its line is gone, or it leaves nothing that can be parsed. */
async function isRed(folder: string, { row, limit }: Tried, mutation: Mutation): Promise<boolean | null> {
  const path = join(folder, mutation.file);
  const whole = existsSync(path) ? readFileSync(path, "utf8") : "";
  const mutated = mutate(whole, mutation);
  if (mutated === null || !isProgram(mutation.file, mutated)) return null;
  writeFileSync(path, mutated);
  try {
    return !(await passes(folder, row, limit));
  } finally {
    writeFileSync(path, whole);
  }
}

/** The mutation that turns the tests of a row red: the one that is kept for it, or where there is none, one that is found; null where they stay green. */
async function proveRow(folder: string, tried: Tried, kept: Mutation | undefined): Promise<Mutation | null> {
  const { row } = tried;
  const red = kept === undefined ? null : await isRed(folder, tried, kept);
  if (kept !== undefined && red !== null) return red ? kept : null;
  const perFile = Math.ceil(mostTries / row.files.length);
  for (const mutation of row.files.flatMap((file) => spread(findMutations(folder, file), perFile))) {
    if (await isRed(folder, tried, mutation)) return mutation;
  }
  return null;
}

function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-mutations-"));
  const clone = join(folder, "clone");
  const left = new Set(["node_modules", ".passepartout", ".git"]);
  cpSync(root, clone, {
    recursive: true,
    filter: (path) => !left.has(relative(root, path).split(sep)[0] ?? ""),
  });
  for (const name of ["node_modules", ".passepartout"]) symlinkSync(join(root, name), join(clone, name));
  const shared = join(root, "..", "shared");
  if (existsSync(shared)) symlinkSync(realpathSync(shared), join(folder, "shared"));
  return clone;
}

const asked = process.argv.slice(2);
const claimed = readRows(readFileSync(join(root, "docs", "parity.md"), "utf8"));
const rows = claimed.filter(({ id }) => asked.length === 0 || asked.includes(id));
const written = parseMutations(existsSync(list) ? readFileSync(list, "utf8") : "{}");
const known = new Map([...written].filter(([id]) => claimed.some((row) => row.id === id)));
const folder = copyTree();
const green: string[] = [];
/** The limit of the tests of rows that pass as they are, null for those that do not; many rows share theirs. */
const sound = new Map<string, number | null>();
try {
  for (const row of rows) {
    const tests = JSON.stringify(row.tests);
    const begun = performance.now();
    if (!sound.has(tests)) {
      const isSound = await passes(folder, row, longestWhole);
      sound.set(tests, isSound ? Math.max(longest, times * (performance.now() - begun)) : null);
    }
    const limit = sound.get(tests) ?? null;
    const kept = known.get(row.id);
    const mutation = limit === null ? null : await proveRow(folder, { row, limit }, kept);
    if (mutation === null) green.push(row.id);
    else known.set(row.id, mutation);
    const isNew = kept !== undefined && mutation !== null && kept !== mutation;
    const note = isNew ? " (found now: the line of the one that was kept is gone)" : "";
    process.stdout.write(`${row.id}: ${describe(limit !== null, mutation)}${note}\n`);
    writeList(known);
  }
} finally {
  rmSync(dirname(folder), { recursive: true, force: true });
}
const missing = claimed.filter(({ id }) => !known.has(id)).map(({ id }) => id);
process.stdout.write(
  `${rows.length - green.length} of ${rows.length} rows turn red. Green: ${green.join(", ") || "none"}. Rows without a mutation: ${missing.join(", ") || "none"}\n`,
);
process.exitCode = green.length === 0 && missing.length === 0 ? 0 : 1;

function describe(isSound: boolean, mutation: Mutation | null): string {
  if (!isSound) return "its test does not pass as it is";
  return mutation === null
    ? "STAYS GREEN"
    : `red by ${mutation.file}: ${mutation.replacement.trim() || "(the line removed)"}`;
}

function writeList(mutations: ReadonlyMap<string, Mutation>): void {
  const sorted = Object.fromEntries([...mutations].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(list, `${JSON.stringify(sorted, null, 2)}\n`);
}
