import { resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { stampOfCode } from "./loaded-code.ts";
import type { NamedFile } from "./named-files.ts";
import type { ShownPrograms } from "./program-folders.ts";
import { steeringWords } from "./script-names.ts";

/** A command of a line, with the places that it may reach and the variables that it sets. */
type Command = {
  readonly argv: readonly string[];
  readonly network: readonly unknown[];
  readonly assignments: readonly { readonly value: string }[];
};

/** `programs`: the declared ones, as the line is planned or as it runs. Default: there are none. */
export type ProgramsSeen = {
  readonly programs?: (moment: "planned" | "run") => Promise<ShownPrograms>;
};

/** Where a line runs. */
type Place = ProgramsSeen & {
  readonly cwd: string;
  readonly workspace: string | null;
  readonly resolvePath: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
  /** Whether a program of the line may run what it names. */
  readonly runsCode: boolean;
  readonly isUnseen: (folder: string) => boolean;
};

/**
 * The code that the unproved commands of a line could load: of the declared programs, which each of them sees
 * and may start by their names; and with network, where its programs run or obey a file, of its workspace and
 * of the folders that it names and that a look at the workspace does not show whole.
 */
export async function findLoadedCode(
  commands: readonly Command[],
  named: readonly NamedFile[],
  { cwd, workspace, resolvePath, exists, runsCode, isUnseen, programs: look }: Place,
): Promise<readonly NamedFile[]> {
  const programs = (await look?.("planned"))?.stamps ?? [];
  if (!commands.some(({ network }) => network.length > 0)) return programs;
  const folders = named.filter(({ stamp }) => stamp.startsWith("folder ")).map(({ path }) => path);
  const isThere = async (word: string): Promise<boolean> => {
    for (const folder of new Set([cwd, ...folders]))
      if (await exists(await resolvePath(resolve(folder, word)))) return true;
    return false;
  };
  if (!runsCode && programs.length === 0 && !(await mayObeyFile(commands, isThere))) return [];
  const isShown = (path: string): boolean =>
    workspace !== null && isInside(workspace, path) && !path.slice(workspace.length).includes("/.");
  const others = folders.filter((path) => path !== cwd && !isShown(path) && !isUnseen(path));
  const roots = [...(workspace === null ? [] : [workspace]), ...others];
  const stamped = roots.map(async (path) => ({ path, stamp: await stampOfCode(path) }));
  return [...(await Promise.all(stamped)), ...programs];
}

/**
 * Whether programs that run none of their operands may obey their words, or a file that options or variables
 * name.
 */
async function mayObeyFile(
  commands: readonly Command[],
  isThere: (word: string) => Promise<boolean>,
): Promise<boolean> {
  const steering = commands.map(({ argv }) => steeringWords(argv));
  if (steering.includes(null)) return true;
  const values = commands.flatMap(({ assignments }) => assignments.map(({ value }) => value));
  const words = [
    ...steering.flatMap((each) => each ?? []),
    ...values.flatMap((each) => each.split(/[\s:=,;]+/)),
  ];
  for (const word of words.filter((each) => each !== "" && !each.includes("\0")))
    if (await isThere(word)) return true;
  return false;
}
