import { basename, dirname, join } from "node:path";
import type { DeclaredChange } from "../../signal/kept-guard.ts";
import { isInside } from "../../text/is-inside.ts";
import { buildRule, lockedRule } from "../../text/later/executed-later.ts";
import { declaredChanges, isInstall } from "./declared-changes.ts";
import { findLaterPaths, isRunScript } from "./later-paths.ts";
import { findLinkedPrograms } from "./linked-packages.ts";

/** A change of what is executed later that a command says it makes. */
export type PlannedChange = {
  readonly change: DeclaredChange;
  /** The file or folder that is made or changed; with `tree`, the folder in which files are. */
  readonly target: string;
  readonly tree: boolean;
  readonly exists: boolean;
  /** Why that is executed later. */
  readonly why: string;
};

/** Where a command runs. */
export type ChangePlace = {
  readonly workspace: string;
  readonly resolvePath: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
};

/** How many entries of a folder that a command names are searched for what is executed later. */
const maxSearched = 20_000;

/** The changes of what is executed later that the words of a command declare. Each is judged, and unlocks its files in the sandbox. */
export async function planChanges(
  argv: readonly string[],
  place: ChangePlace,
): Promise<readonly PlannedChange[]> {
  const declared = [...declaredChanges(argv), ...(await linkedChanges(argv, place))];
  const planned = await Promise.all(
    declared.map(async (change): Promise<readonly Omit<PlannedChange, "exists">[]> => {
      if (change.kind === "path") return planPath(change.path, place);
      if (change.kind === "work-tree")
        return [{ change, target: place.workspace, tree: true, why: treeRule }];
      const target = join(place.workspace, change.name);
      return [{ change, target, tree: false, why: lockedRule(change.name, false) ?? buildRule }];
    }),
  );
  return Promise.all(planned.flat().map(async (one) => ({ ...one, exists: await place.exists(one.target) })));
}

/** A package manager makes the programs of the packages executable that it links. */
async function linkedChanges(
  argv: readonly string[],
  { workspace, resolvePath }: ChangePlace,
): Promise<readonly DeclaredChange[]> {
  if (!isInstall(argv)) return [];
  const folder = await resolvePath(".");
  if (!isInside(workspace, folder)) return [];
  const programs = await findLinkedPrograms(folder);
  return programs.map((path) => ({ kind: "path", path: join(folder, path) }));
}

const treeRule = "git may change any of them, such as hooks and build files";

async function planPath(
  path: string,
  { workspace, resolvePath }: ChangePlace,
): Promise<readonly Omit<PlannedChange, "exists">[]> {
  const places = [
    await resolvePath(path).catch(() => null),
    join(await resolvePath(dirname(path)).catch(() => workspace), basename(path)),
  ];
  const planned: Omit<PlannedChange, "exists">[] = [];
  for (const target of new Set(places)) {
    if (target === null || !isInside(workspace, target) || target === workspace) continue;
    const why = await reasonOf(target, workspace);
    if (why !== null) planned.push({ change: { kind: "path", path: target }, target, tree: false, why });
  }
  return planned;
}

async function reasonOf(path: string, workspace: string): Promise<string | null> {
  for (let at = path; at !== workspace && isInside(workspace, at); at = dirname(at)) {
    const why = lockedRule(at.slice(workspace.length), at !== path);
    if (why !== null) return why;
  }
  const { named, more } = await findLaterPaths(path, maxSearched);
  const [first] = named;
  if (first !== undefined) return `it holds ${first[0]}: ${first[1].why}`;
  if (more.length > 0) return `it holds ${more[0]}, a program`;
  return (await isRunScript(path)) ? "it is a program" : null;
}
