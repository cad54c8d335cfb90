import { basename, dirname, join } from "node:path";
import { buildRule, lockedRule } from "../../signal/executed-later/executed-later.ts";
import { type DeclaredChange, declaredChanges } from "./declared-changes.ts";
import { findLaterPaths } from "./later-paths.ts";
import { isWithin } from "./real-path.ts";

/** A change of what is executed later that a command says it makes: what it is about, and why that is executed later. */
export type PlannedChange = {
  readonly change: DeclaredChange;
  readonly target: string;
  readonly why: string;
};

/** Where a command runs. */
export type ChangePlace = {
  readonly workspace: string;
  readonly resolvePath: (path: string) => Promise<string>;
};

/** How many entries of a folder that a command names are searched for what is executed later. */
const maxSearched = 20_000;

/** The changes of what is executed later that the words of a command declare. Each is judged, and unlocks its files in the sandbox. */
export async function planChanges(
  argv: readonly string[],
  { workspace, resolvePath }: ChangePlace,
): Promise<readonly PlannedChange[]> {
  const planned: PlannedChange[] = [];
  for (const change of declaredChanges(argv)) {
    if (change.kind === "work-tree")
      planned.push({ change, target: workspace, why: "git may replace files in it that are executed later" });
    if (change.kind === "name") {
      const target = `${workspace}/${change.name}`;
      planned.push({ change, target, why: lockedRule(target, true) ?? buildRule });
    }
    if (change.kind !== "path") continue;
    const places = [
      await resolvePath(change.path).catch(() => null),
      join(await resolvePath(dirname(change.path)).catch(() => workspace), basename(change.path)),
    ];
    for (const path of new Set(places)) {
      const why =
        path === null || !isWithin(path, workspace) || path === workspace
          ? null
          : await reasonOf(path, workspace);
      if (path !== null && why !== null) planned.push({ change: { kind: "path", path }, target: path, why });
    }
  }
  return planned;
}

async function reasonOf(path: string, workspace: string): Promise<string | null> {
  const why = lockedRule(path.slice(workspace.length), false);
  if (why !== null) return why;
  const { named, more } = await findLaterPaths(path, maxSearched);
  const [first] = named;
  if (first !== undefined) return `it holds ${first[0]}: ${first[1].why}`;
  return more.length === 0 ? null : `it holds ${more[0]}, a program`;
}
