import { basename, dirname, join, resolve } from "node:path";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import type { Listing } from "../../files/private-names.ts";
import { lookAtRepository } from "../../shell/git-repository.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "../../shell/plan.ts";
import { readGitWords } from "../../shell/programs/git-words.ts";
import { startsNoProgram } from "../../shell/secret-objects.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { textOfFile } from "../../shell/text-of-file.ts";
import { maxEntries } from "./label-of-workspace.ts";

type Flow = {
  readonly given: PlanEnvironment;
  /** The label of the words of the line. */
  readonly label: Label;
  /** The label of all that it may read. */
  readonly inputs: Label;
};

/**
 * The label of what flows into all that a line makes and changes. Where its words alone say what that is,
 * only what they name flows there: the words, the names that their patterns stand for, what is copied, and
 * for git what is in the repository.
 */
export async function labelOfMade(
  plan: CommandPlan,
  { given, label, inputs }: Flow,
  ports: ShellPorts,
): Promise<Label> {
  if (inputs.secrecy === "public" || !(await isSaidByWords(plan, given))) return joinLabels(label, inputs);
  const commands = plan.flatMap((part) => part.commands);
  const named = commands.flatMap(({ argv, worded, found = [] }) => [
    ...found.map((path): Listing => ({ path, tree: false, tells: "path" })),
    ...(nameOf(argv) === "git" ? takenByGit(argv, given) : []),
    ...(copiers.has(nameOf(argv))
      ? worded.map(({ path }): Listing => ({ path, tree: true, shows: ["made", "changed"] }))
      : []),
  ]);
  const copied = commands
    .flatMap(({ argv, worded }) => (copiers.has(nameOf(argv)) ? worded : []))
    .filter(({ how }) => how !== "write");
  const labels = await Promise.all([
    ...named.map(async (listing) => ports.labelOfNames?.(listing)),
    ...copied.map(async ({ path }) => ports.labelOfRead?.({ path, tree: true })),
  ]);
  return joinAll([label, ...labels.map((each) => each ?? bottomLabel)]);
}

/** What a git command may take the names of, and what it may bring back. */
function takenByGit(argv: readonly string[], { cwd, workspace }: PlanEnvironment): readonly Listing[] {
  const [command = "", ...words] = argv.slice(1);
  const takesAll = command === "stash" || words.some((word) => /^-[a-z]*[Au]|^--(?:all|update)$/.test(word));
  const paths = takesAll ? [workspace ?? cwd] : words.map((word) => resolve(cwd, word));
  return [
    { path: workspace ?? cwd, tree: true, maxEntries, shows: ["repository"] },
    ...paths.map((path): Listing => ({ path, tree: true, maxEntries })),
  ];
}

/** Whether each command of a line only reads, or makes nothing but what its words say. */
async function isSaidByWords(plan: CommandPlan, given: PlanEnvironment): Promise<boolean> {
  const unproved = plan.flatMap(({ commands }) =>
    commands.some(({ proof }) => proof === null) ? [commands] : [],
  );
  if (!unproved.every((commands) => commands.length === 1)) return false;
  const found = await Promise.all(unproved.flat().map((command) => saysAll(command, given)));
  return found.every((says) => says);
}

const copiers = new Set(["cp", "mv"]);
/** Programs that make what their words name, with the options that read nothing else. */
const makers: ReadonlyMap<string, RegExp> = new Map([
  ["mkdir", /^(?:-[pv]+|--parents|--verbose)$/],
  ["touch", /^-[acm]+$/],
  ["rm", /^(?:-[dfirRv]+|--recursive|--force)$/],
  ["rmdir", /^-[pv]+$/],
  ["cp", /^(?:-[fnrRTv]+|--recursive)$/],
  ["mv", /^-[fnTv]+$/],
  ["ln", /^-[fnrsTv]+$/],
]);
const gitCommands = new Set("add commit mv rm tag branch switch checkout restore reset stash".split(" "));
const gitOptions =
  /^(?:-[aAmqufbdDn]+|-c|--|--(?:amend|no-edit|allow-empty|all|update|quiet|cached|staged|hard|soft|mixed)|--(?:message|author|date)=.*)$/s;
async function saysAll(command: PlannedCommand, given: PlanEnvironment): Promise<boolean> {
  const { argv, identity, binary, assignments, redirects } = command;
  const isOwn = given.workspace !== null && binary !== null && isInside(given.workspace, binary.real);
  if (identity !== "trusted" || isOwn || assignments.length > 0 || redirects.length > 0) return false;
  const [, ...words] = argv;
  const options = makers.get(nameOf(argv));
  if (options !== undefined) return optionsOf(words).every((word) => options.test(word));
  if (nameOf(argv) !== "git") return false;
  const { options: before, words: rest } = readGitWords(words);
  if (before.length > 0 || !gitCommands.has(rest[0] ?? "")) return false;
  // "-c" of a commit takes the message of another one, and lets an editor change it.
  if (rest[0] === "commit" && rest.includes("-c")) return false;
  return optionsOf(rest.slice(1)).every((word) => gitOptions.test(word)) && (await isPlainRepository(given));
}

function nameOf([program = ""]: readonly string[]): string {
  return basename(program);
}

function optionsOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith("-"));
}

/** Whether git runs no program of anybody else in the repository of a folder. */
async function isPlainRepository({ cwd, workspace }: PlanEnvironment): Promise<boolean> {
  if ((await lookAtRepository(cwd, workspace ?? cwd)).doubt !== null) return false;
  for (let at = cwd; at !== "/"; at = dirname(at)) {
    const folder = join(at, ".git");
    if ((await textOfFile(join(folder, "config"))) !== null) return startsNoProgram(folder);
  }
  return false;
}
