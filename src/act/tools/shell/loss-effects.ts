import { join } from "node:path";
import type { Effect, Extent } from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import type { TurnSources } from "../../../signal/tool.ts";
import { shownPath } from "../../files/shown-path.ts";
import { extentOfLoss } from "../../loss/extent-of-loss.ts";
import { readNamedThings } from "../../shell/named-things.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { takenBefore } from "../../shell/turn-extents.ts";
import type { Difference } from "../../trial/difference.ts";
import { lostCommits } from "../../trial/lost-commits.ts";
import { changesOf, type FileChanges } from "../../trial/lost-files.ts";
import { lostLogEntries } from "../../trial/lost-log-entries.ts";
import { lostObjects } from "../../trial/lost-objects.ts";
import { lostRows } from "../../trial/lost-rows.ts";
import { makePackedAnewTest } from "../../trial/packed-anew.ts";
import type { TriedCommand } from "../../trial/trials.ts";

/** What the loss in a trial is judged with. */
export type Loss = {
  /** Null where no turn is known whose words could name anything. */
  readonly sources: TurnSources | null;
  readonly ports: ShellPorts;
  readonly cmd: string;
  readonly workspace: string;
  readonly label: Label;
};

/**
 * How many files a trial deletes, empties or overwrites, with what earlier calls of its turn did, where the
 * owner's words do not name them all: judged like a command that says so.
 */
export async function lossEffects(
  { overlay, difference }: Pick<TriedCommand, "overlay" | "difference">,
  loss: Loss,
): Promise<readonly Effect[]> {
  const { workspace, label } = loss;
  const isPackedAnew = makePackedAnewTest({ ...difference, overlay });
  const extent = await lossExtent(await changesOf(difference, workspace, isPackedAnew), loss);
  if (extent === null) return [];
  const about = { target: workspace, label, reversal: "undoable", change: "replace", tree: true } as const;
  return [{ kind: "write-path", ...about, extent }];
}

/** How much changes of files take away with what earlier calls of their turn did; null where nobody asks. */
export async function lossExtent(
  changes: FileChanges,
  { sources, ports, cmd, workspace }: Omit<Loss, "label">,
): Promise<Extent | null> {
  if (sources === null) return null;
  const { parser, home, mask, overlays } = ports;
  const worded = async () =>
    (await takenBefore({ cwd: workspace, home, parser, sources })).get("files") ?? [];
  return extentOfLoss(changes, { sources, folder: workspace, cmd, mask, worded, overlays });
}

/**
 * The effects, with the commits that the branch which is checked out would lose. Where nobody can say which,
 * it asks.
 */
export async function withLostCommits(
  effects: readonly Effect[],
  { overlay, difference: { exchanges } }: Pick<TriedCommand, "overlay" | "difference">,
  { sources, ports, cmd, workspace }: Loss,
): Promise<readonly Effect[]> {
  const found = effects.map(async (effect): Promise<Effect> => {
    if (effect.kind !== "write-path" || effect.ownBranch !== true) return effect;
    const items = await lostCommits(effect.target, { exchanges, overlay });
    if (items?.length === 0) return effect;
    const set = { kind: "commits", items: items ?? [], isRemoved: true };
    const things = readNamedThings(sources?.words ?? [], { cmd, cwd: workspace });
    const unnamed = items === null ? 1 : things.unnamed(set).length;
    const shown = set.items.slice(0, mostCommits).map(ports.mask);
    return {
      ...effect,
      extent: { kind: "commits", count: items?.length ?? null, shown, unnamed, others: [] },
    };
  });
  return Promise.all(found);
}

/** Commits that a question names. */
const mostCommits = 10;

/**
 * For each repository how much it loses of what commits, logs and what is staged consist of, and of what
 * nothing leads to.
 */
export async function lostObjectEffects(
  { overlay, difference: { exchanges } }: Pick<TriedCommand, "overlay" | "difference">,
  { ports, workspace, label }: Loss,
): Promise<readonly Effect[]> {
  const lost = await lostObjects({ exchanges, overlay });
  return lost.flatMap(({ repository, named, unnamed }): readonly Effect[] => {
    const objects = `objects of ${ports.mask(shownPath(repository, workspace))} that`;
    const effectOn = (kind: string, count: number | null): Effect => {
      const extent = { kind, count, shown: [], unnamed: count ?? 1, others: [] };
      const about = { label, reversal: "undoable", change: "replace", tree: true } as const;
      return { kind: "write-path", target: workspace, ...about, extent };
    };
    return [
      ...(named === 0 ? [] : [effectOn(`${objects} a branch, a tag, a log or the index leads to`, named)]),
      ...(unnamed === 0 || unnamed === null
        ? []
        : [effectOn(`${objects} no branch, tag, log or index leads to (/undo brings them back)`, unnamed)]),
    ];
  });
}

/**
 * For each repository the commits that only its logs led to and that nothing leads to any more, such as a
 * stash.
 */
export async function lostLogEffects(
  { overlay, difference: { exchanges } }: Pick<TriedCommand, "overlay" | "difference">,
  { sources, ports, cmd, workspace, label }: Loss,
): Promise<readonly Effect[]> {
  const lost = await lostLogEntries({ exchanges, overlay });
  const things = readNamedThings(sources?.words ?? [], { cmd, cwd: workspace });
  return lost.map(({ repository, commits }): Effect => {
    const items = commits ?? [];
    const kind = `commits of ${ports.mask(shownPath(repository, workspace))} that only its logs, or its stash, led to`;
    const unnamed = commits === null ? 1 : things.unnamed({ kind: "commits", items, isRemoved: true }).length;
    const shown = items.slice(0, mostCommits).map(ports.mask);
    const extent = { kind, count: commits?.length ?? null, shown, unnamed, others: [] };
    const about = { label, reversal: "undoable", change: "replace", tree: true } as const;
    return { kind: "write-path", target: workspace, ...about, extent };
  });
}

/**
 * For each database that a trial takes rows from, how many they are, where the owner's words do not name it.
 */
export async function lostRowEffects(
  difference: Difference,
  { sources, ports, cmd, workspace, label }: Loss,
): Promise<readonly Effect[]> {
  const lost = await lostRows(difference, workspace);
  const named = readNamedThings(sources?.words ?? [], { cmd, cwd: workspace });
  return lost.flatMap(({ path, rows, tables }): readonly Effect[] => {
    const isNamed = named.unnamed({ kind: "files", items: [path], isRemoved: true }).length === 0;
    if (isNamed || rows === 1) return [];
    const where = tables.length === 0 ? path : `${path} (${tables.slice(0, mostTables).join(", ")})`;
    const kind = `rows of ${ports.mask(where)}`;
    const extent = { kind, count: rows, shown: [], unnamed: rows ?? 1, others: [] };
    const target = join(workspace, path);
    return [{ kind: "write-path", target, label, reversal: "undoable", change: "replace", extent }];
  });
}

/** Tables that a question names. */
const mostTables = 10;
