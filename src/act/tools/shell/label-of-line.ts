import { basename, dirname, join } from "node:path";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { type Listing, labelOfLinks, type Trace } from "../../files/private-names.ts";
import { entryIfThere } from "../../files/status-if-there.ts";
import { inBatches } from "../../shell/in-batches.ts";
import { makeAboveTest } from "../../shell/looks-above.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "../../shell/plan.ts";
import type { ShellProgram } from "../../shell/program.ts";
import { gitCommands } from "../../shell/programs/git-commands.ts";
import { readGitWords } from "../../shell/programs/git-words.ts";
import { showsNamesOnly } from "../../shell/programs/names-only.ts";
import { startedProgram, withoutWrappers } from "../../shell/programs/unwrap-words.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { mostNamed, wordsOfLine } from "../../shell/words-of-line.ts";
import { maxEntries } from "./label-of-workspace.ts";

/** The label of the output: as private as the notes that a command reads, or that an unproved command names. */
export async function labelOfReads(
  plan: CommandPlan,
  { labelOfRead, labelOfNames, resolve: mayLook }: ShellPorts,
): Promise<Label> {
  if (labelOfRead === undefined || mayLook === false) return bottomLabel;
  const uses = plan.flatMap(({ commands }) =>
    commands.flatMap(({ reads, files }) => [
      ...reads.filter(({ access }) => access === "contents"),
      // The last of a list that is too long stands for the rest, and is no path.
      ...files.filter(({ path }) => path !== "").map(({ path }) => ({ path, tree: false })),
    ]),
  );
  const replaced = plan.flatMap(({ commands }) => commands.flatMap(({ writes }) => writes));
  // What a command replaces does not flow into its output, but is read, so that private text in it is remembered.
  for await (const _ of inBatches(replaced, ({ path }) => labelOfRead({ path, tree: false })));
  const told = plan.flatMap(({ commands }) => commands.flatMap(toldBy));
  const names =
    labelOfNames === undefined ? [] : await Array.fromAsync(inBatches(told, (each) => labelOfNames(each)));
  return joinAll([...names, ...(await Array.fromAsync(inBatches(uses, labelOfRead)))]);
}

/** The label of where the words of a line lead, also behind a `=`. */
export async function labelOfWords(
  program: ShellProgram,
  { cwd, home }: Pick<PlanEnvironment, "cwd" | "home">,
  ports: Pick<ShellPorts, "labelOfNames">,
): Promise<Label> {
  if (program.kind === "opaque") return bottomLabel;
  const words = program.pipelines.flatMap(({ commands }) =>
    commands.flatMap(({ argv, redirects }) => [...argv, ...redirects.map(({ target }) => target)]),
  );
  const values = words.map((word) => word.slice(word.indexOf("=") + 1));
  return labelOfLinks([...words, ...values], { ...ports, cwd, home });
}

/** What a command tells of files beside their contents. */
function toldBy({ argv, reads, found = [] }: PlannedCommand): readonly Listing[] {
  const shows: readonly Trace[] = showsNamesOnly(argv) ? ["made"] : ["made", "changed"];
  const listed = reads.map(({ path, written, access, tree }): Listing => {
    if (access === "contents" && !tree) return { path, written, tree, tells: "links" };
    // What git keeps is below a folder like any other.
    return { path, written, tree, shows: tree ? [...shows, "repository"] : shows };
  });
  const above = !listsAbove(argv)
    ? []
    : reads.map(({ path }): Listing => ({ path: dirname(path), tree: false, tells: "path", shows }));
  return [...listed, ...above, ...found.map((path): Listing => ({ path, tree: false, tells: "path" }))];
}

/** Whether a program lists the folder above another one with its entries, as `..`. */
function listsAbove(argv: readonly string[]): boolean {
  const [program = "", ...words] = withoutWrappers(argv);
  return /^v?dir$|^ls$/.test(basename(program)) && words.some((word) => /^-[^-]*[af]|^--al?l?$/.test(word));
}

/**
 * The label of what a line may print by git, or by an unproved command that may run it, of the folders that
 * its words name: of old versions, and, unless git tells of commits alone, of the files that are there, which
 * it lists by their names and changes.
 */
export async function labelOfHistory(
  plan: CommandPlan,
  given: PlanEnvironment,
  ports: ShellPorts,
): Promise<Label> {
  const { cwd, mayLook, resolvePath } = given;
  if (ports.labelOfHistory === undefined || !mayLook) return bottomLabel;
  const commands = plan.flatMap((part) => part.commands);
  const mayRunGit = commands.some(({ argv, proof }) => proof === null || startedProgram(argv) === "git");
  if (!mayRunGit) return bottomLabel;
  const named = wordsOfLine(commands);
  const isUnseen = makeAboveTest(given, commands);
  const folders = await Promise.all(
    named.slice(0, mostNamed).map((word) => resolvePath(word).catch(() => cwd)),
  );
  const label = await ports.labelOfHistory([cwd, ...folders.filter((folder) => !isUnseen(folder))]);
  if (!named.some((word) => word === "git" || word.endsWith("/git"))) return bottomLabel;
  if (named.length > mostNamed) return joinLabels(label, { ...bottomLabel, secrecy: "private" });
  const others = folders.filter((folder) => !isInside(cwd, folder) && !isUnseen(folder));
  const roots = await Promise.all([cwd, ...others].map(rootOf));
  // What git says of commits may name people as the work tree's own list does.
  const lists = await Promise.all(roots.map((root) => entryIfThere(join(root, ".mailmap"))));
  const isOfCommits = commands.every(tellsCommits) && lists.every((list) => list === null);
  const shows = isOfCommits ? (["repository"] as const) : (["made", "changed", "repository"] as const);
  const told = [...new Set(roots)].map(async (path) =>
    ports.labelOfNames?.({ path, tree: true, maxEntries, shows }),
  );
  return joinAll([label, ...(await Promise.all(told)).map((each) => each ?? bottomLabel)]);
}

/** Whether a command tells nothing by git but what was committed. */
function tellsCommits({ argv, proof }: PlannedCommand): boolean {
  if (proof === null || startedProgram(argv) !== "git") return proof !== null;
  const [verb = ""] = readGitWords(withoutWrappers(argv).slice(1)).words;
  return gitCommands.get(verb)?.workTree !== true;
}

/** The folder that git tells of in another one: that of its repository. Itself where it is in none. */
async function rootOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await entryIfThere(join(at, ".git"))) !== null) return at;
    if (at === dirname(at)) return folder;
  }
}
