// Types, format and lint, lint that needs types, dead code, the architecture and a build: fails if any of them has something to say.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tools = join(root, "node_modules", ".bin");
const path = [dirname(process.execPath), tools, process.env["PATH"]].join(delimiter);
const built = mkdtempSync(join(tmpdir(), "passepartout-build-"));

const checks: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ["types", "tsc", "--project", "."],
  ["format and lint", "biome", "check", "--error-on-warnings"],
  [
    "lint by types",
    "oxlint",
    "--type-aware",
    "--deny-warnings",
    "src",
    "packages/org/src",
    "test",
    "bench",
    "scripts",
  ],
  ["dead code", "knip", "--no-progress"],
  ["dead code of production", "knip", "--no-progress", "--production"],
  [
    "architecture",
    "node",
    "--test",
    "--test-reporter=dot",
    "test/architecture/architecture.test.ts",
    "test/architecture/pages.test.ts",
    "test/architecture/spread-literals.test.ts",
    "test/parity-checker.test.ts",
    "test/threat-model.test.ts",
  ],
  ["advisories", "node", "scripts/check-advisories.ts"],
  ["build without a warning", "node", "scripts/build.ts", built],
];
/** Checks that exit with 0 even where they warn: whatever they print is a failure. */
const silentWhenFine = new Set(["build without a warning"]);
/** Checks whose figure is worth a line where they pass, too. */
const toldWhenFine = new Set(["advisories"]);

async function passes(name: string, program: string, args: readonly string[]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const printed = Buffer.concat(said).toString();
  const passed = code === 0 && !(silentWhenFine.has(name) && printed !== "");
  if (!passed || toldWhenFine.has(name)) process.stdout.write(`${printed.trimEnd()}\n`);
  process.stdout.write(`${passed ? "✔" : "✖"} ${name} (${seconds} s)\n`);
  return passed;
}

const passed = await Promise.all(checks.map(([name, program, ...args]) => passes(name, program, args)));
rmSync(built, { recursive: true });
if (passed.includes(false)) process.exitCode = 1;
