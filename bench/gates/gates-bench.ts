import { resolve } from "node:path";
import type { Io } from "../../src/kernel/io.ts";
import { exitCodes, usageError } from "../../src/program/io.ts";
import { parseCommand } from "../../src/program/options.ts";
import { showProgress } from "../../src/program/show-progress.ts";
import { type CommandSpec, flag, valued } from "../../src/text/command-spec.ts";
import { greatest } from "../../src/text/lists.ts";
import { benchAdaptive } from "./bench-adaptive.ts";
import { benchAgentdojo } from "./bench-agentdojo.ts";
import { CaseFileError } from "./bench-case-file.ts";
import { benchSecrets } from "./bench-secrets.ts";
import type { BenchFigure, BenchSet } from "./bench-set.ts";
import { benchShell } from "./bench-shell.ts";

const files = { type: "string", multiple: true, value: "FILE…", values: "file" } as const;

const gatesBenchSpec = {
  name: "gates-bench",
  synopsis: [
    "npm run gates-bench -- [--shell FILE…] [--secrets FILE…] [--agentdojo FILE…] [--rename SEED] [--adaptive SEED] [--json]",
  ],
  summary: "measure the gates on labelled commands and texts",
  about: [
    "Measures the gates on labelled cases: what they let through, and what they stop for nothing. Runs nothing.",
    "FILE is JSON lines, a JSON array or (for suites) a JSON object, plain or gzipped.",
  ],
  surplus: "write --shell, --secrets or --agentdojo before it",
  options: {
    shell: {
      ...files,
      help: "commands: {id, cmd, expect}; expect is allow, allow_or_ask, any, ask_or_deny or deny",
    },
    secrets: { ...files, help: "texts: {id, text, label}; label is secret or clean" },
    agentdojo: {
      ...files,
      help: "suites {suites: {NAME: {tools, user_tasks, injection_tasks, environment}}}: replays the calls of each task, then those of each attack from every output that an attacker controls",
    },
    rename: {
      ...valued("SEED", "replaces all names, hosts, addresses and dates of the suites by made-up ones"),
    },
    adaptive: valued(
      "SEED",
      "attacks the tasks of the suites by an attacker who knows the words, the contacts and the rules",
    ),
    json: flag("prints a line for each case, then a line with the figures"),
  },
  exit: { 0: "done", 1: "a file could not be read" },
} as const satisfies CommandSpec;

/** Each set by its option. */
const sets: ReadonlyMap<string, BenchSet> = new Map([
  ["shell", benchShell],
  ["secrets", benchSecrets],
  ["agentdojo", benchAgentdojo],
]);

/** Measures the gates on files of labelled cases and prints the figures beside their targets. */
export async function gatesBenchCommand(io: Io): Promise<number> {
  const { values } = parseCommand({ ...io, args: joinFiles(io.args) }, gatesBenchSpec);
  const { rename = null, adaptive } = values;
  if ((rename !== null || adaptive !== undefined) && values.agentdojo === undefined)
    throw usageError("--rename and --adaptive need --agentdojo with a file.", gatesBenchSpec);
  const given = new Map(
    Object.entries({ shell: values.shell, secrets: values.secrets, agentdojo: values.agentdojo }),
  );
  if ([...given.values()].every((names) => names === undefined))
    throw usageError("gates-bench needs --shell, --secrets or --agentdojo with a file.", gatesBenchSpec);
  const start = { environment: io.environment, cwd: io.cwd, version: io.version };
  const measured = new Map<string, readonly BenchFigure[]>();
  try {
    for (const [name, run] of adaptive === undefined ? sets : [...sets, adaptiveSet(adaptive)]) {
      const names = given.get(name === "adaptive" ? "agentdojo" : name);
      if (names === undefined) continue;
      const cases = run({ files: names.map((file) => resolve(io.cwd, file)), start, rename });
      const progress = showProgress(io);
      let next = await cases.next();
      for (let count = 1; next.done !== true; count += 1, next = await cases.next())
        if (values.json) io.out(`${JSON.stringify(next.value)}\n`);
        else progress.update(`Measuring ${name}, cases`, count, null);
      progress.end();
      measured.set(name, next.value);
    }
  } catch (error) {
    if (!(error instanceof CaseFileError)) throw error;
    io.err(`gates-bench: ${error.message} npm run gates-bench -- --help shows the form.\n`);
    return exitCodes.failed;
  }
  io.out(values.json ? `${JSON.stringify({ summary: summarise(measured) })}\n` : formatTable(measured));
  return exitCodes.done;
}

/** The attacks on the tasks of the same suites, from a seed. */
function adaptiveSet(seed: string): readonly [string, BenchSet] {
  return ["adaptive", (run) => benchAdaptive({ ...run, seed })];
}

/** Repeats an option of files before each further file: `--shell a b` becomes `--shell a --shell b`. */
function joinFiles(args: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let option: string | null = null;
  for (const [index, arg] of args.entries()) {
    const isOption = arg.startsWith("-");
    if (isOption) option = fileOptions.has(arg) ? arg : null;
    else if (option !== null && args[index - 1] !== option) joined.push(option);
    joined.push(arg);
  }
  return joined;
}

const fileOptions = new Set(["--shell", "--secrets", "--agentdojo"]);

type Measured = ReadonlyMap<string, readonly BenchFigure[]>;

function summarise(measured: Measured) {
  return Object.fromEntries(
    [...measured].map(([set, figures]) => [
      set,
      Object.fromEntries(figures.map(({ name, count, of }) => [name, { count, of }])),
    ]),
  );
}

function formatTable(measured: Measured): string {
  const rows = [...measured].flatMap(([set, figures]) =>
    figures.map(({ title, count, of, target }) => [
      set,
      title,
      `${count} of ${of}`,
      of === 0 ? "" : `${((100 * count) / of).toFixed(1)} %`,
      `target: ${target}`,
    ]),
  );
  const widths = [0, 1, 2, 3, 4].map((column) => greatest(rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
