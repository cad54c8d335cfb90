import { basename, resolve } from "node:path";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { CommandPlan, PlannedCommand } from "./plan.ts";

/**
 * What a planned line would do, step by step, to be compared with what another one would do. Plain deletions count by their files alone, whatever their words and
 * their order; of copies, moves and new folders it does not count how their paths and harmless options are written. Every other line is compared whole.
 */
export function comparableLine(plan: CommandPlan, cwd: string, described: JsonObject): readonly Json[] {
  const deletions = plan.map(({ commands, negated, next }) => {
    const [command, ...piped] = commands;
    if (command === undefined || piped.length > 0 || negated || next === "||") return null;
    return deletionsOf(command, cwd);
  });
  const plain = deletions.flatMap((each) => each ?? []);
  return deletions.includes(null) ? [withPlainWords(described, cwd)] : plain;
}

/** Options without a value that change nothing of what is compared, and those that do; a program that takes another one is compared by its words. */
const flags: ReadonlyMap<string, { readonly harmless: string; readonly counting: string }> = new Map([
  ["rm", { harmless: "fv", counting: "rRd" }],
  ["unlink", { harmless: "", counting: "" }],
  ["mv", { harmless: "v", counting: "finuT" }],
  ["cp", { harmless: "v", counting: "rRafinpuT" }],
  ["mkdir", { harmless: "v", counting: "p" }],
]);

type PlainWords = {
  readonly program: string;
  readonly counting: string;
  readonly operands: readonly string[];
};

/** The words of one of these programs with its paths made absolute; null for any other command. */
function plainWords([word = "", ...rest]: readonly string[], cwd: string): PlainWords | null {
  const program = basename(word);
  const known = flags.get(program);
  if (known === undefined) return null;
  const end = rest.indexOf("--");
  const before = end === -1 ? rest : rest.slice(0, end);
  const options = before.filter((each) => each.startsWith("-"));
  const given = options.flatMap((each) => [...each.slice(1)]);
  if (given.some((letter) => !`${known.harmless}${known.counting}`.includes(letter))) return null;
  const letters = given.map((letter) => (letter === "R" ? "r" : letter));
  if (options.includes("-")) return null;
  const operands = [
    ...before.filter((each) => !each.startsWith("-")),
    ...(end === -1 ? [] : rest.slice(end + 1)),
  ];
  return {
    program,
    counting: [...new Set(letters.filter((letter) => known.counting.includes(letter)))].toSorted().join(""),
    operands: operands.map((each) => `${resolve(cwd, each)}${each.endsWith("/") ? "/" : ""}`),
  };
}

/** The files that a command deletes and does nothing else, each with whether what is below it goes too; null for any other command. */
function deletionsOf(command: PlannedCommand, cwd: string): readonly Json[] | null {
  const { argv, worded, redirects, assignments, network } = command;
  const words = plainWords(argv, cwd);
  if (words === null || !(words.program === "rm" || words.program === "unlink")) return null;
  const isPlain = redirects.length === 0 && assignments.length === 0 && network.length === 0;
  if (!isPlain || worded.length !== words.operands.length) return null;
  return worded.map(({ path }, index) => ({
    delete: path,
    named: words.operands[index] ?? "",
    how: words.counting,
  }));
}

/** The description of a line without what only says how it was written. */
function withPlainWords(described: Json, cwd: string): Json {
  if (isJsonArray(described)) return described.map((each) => withPlainWords(each, cwd));
  if (!isJsonObject(described)) return described;
  const { files: _, argv, ...rest } = described;
  const entries = Object.entries(rest).map(([key, value]) => [key, withPlainWords(value ?? null, cwd)]);
  const words =
    argv !== undefined && isJsonArray(argv) ? argv.filter((word) => typeof word === "string") : [];
  return {
    ...Object.fromEntries(entries),
    ...(argv === undefined ? {} : { argv: comparableWords(words, cwd) }),
  };
}

function comparableWords(argv: readonly string[], cwd: string): Json {
  const plain = plainWords(argv, cwd);
  return plain === null ? [...argv] : [plain.program, `-${plain.counting}`, ...plain.operands];
}
