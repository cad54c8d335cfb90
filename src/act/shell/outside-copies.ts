import { join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import type { Bind } from "../sandbox/binds.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import type { PartOverlay, Place } from "../sandbox/part-overlay.ts";
import type { ResolvedPathUse } from "./confine.ts";
import type { GitOfOwner } from "./git-of-owner.ts";
import { changesIn, changesOutside, type OutsidePlace, type OutsidePlaces, shows } from "./outside-places.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "./plan.ts";

/** The copies of parts of folders outside of the workspace that a line runs over. */
export type OutsideCopies = Pick<OutsidePlaces, "links"> & {
  readonly copies: readonly { readonly place: OutsidePlace; readonly copy: PartOverlay }[];
};

/**
 * A view of a command with the copies that it changes or reads; what it reads there comes from them alone.
 */
export function withCopies(
  view: Confinement,
  command: PlannedCommand,
  { copies, links }: OutsideCopies,
): Confinement {
  const { workspace } = view;
  const places = copies.flatMap(({ place, copy }) => {
    const writable = workspace !== null && changesIn(place, command, workspace);
    const isUsed = writable || command.reads.some(({ path }) => shows(place, path));
    return isUsed ? [{ place, bind: { from: copy.merged, to: place.folder, writable } }] : [];
  });
  if (places.length === 0) return view;
  const isSeen = (path: string): boolean => places.some(({ place }) => isInside(place.folder, path));
  // What was typed with `..` leads to a place as well: of its way only the folders are needed.
  const isDetour = ({ from, to }: Bind): boolean => join(to) !== to && isSeen(from);
  const readable = view.readable.filter(
    (bind) =>
      !isDetour(bind) && !places.some(({ place }) => shows(place, bind.from) || shows(place, bind.to)),
  );
  const ways = view.readable.filter(isDetour).flatMap(({ to }) => to.split("/..", 1));
  const isBound = (path: string): boolean =>
    isSeen(path) ||
    [...readable.map(({ to }) => to), workspace].some((to) => to !== null && isInside(to, path));
  const needed = links.filter(({ path }) => !isBound(path));
  return {
    ...view,
    readable,
    folders: [...(view.folders ?? []), ...ways.filter((way) => !links.some(({ path }) => path === way))],
    places: places.map(({ bind }) => bind),
    links: [...(view.links ?? []), ...needed.map(({ path, target }) => ({ from: target, to: path }))],
  };
}

/**
 * Finds the copy that has a folder: where the output of a command goes there, it goes into the copy as well.
 */
export function copyOf(outside: OutsideCopies | undefined): (path: string) => PartOverlay | null {
  return (path) =>
    outside?.copies.find(({ place }) => place.folder === path || shows(place, path))?.copy ?? null;
}

type PlacesRequest = {
  readonly plan: CommandPlan;
  readonly given: Pick<PlanEnvironment, "workspace" | "skills">;
  readonly ports: { readonly gitOfOwner?: () => Promise<GitOfOwner> };
  readonly outside: OutsidePlaces;
};

/**
 * What stands in a part of a folder for the commands of a line, beside what it shows: there, something else
 * is bound.
 */
export async function placesIn(
  part: OutsidePlace,
  { plan, given, ports, outside }: PlacesRequest,
): Promise<readonly Place[]> {
  const commands = plan.flatMap((each) => each.commands);
  const reads: readonly ResolvedPathUse[] = [
    ...commands.flatMap((command) => command.reads),
    ...(given.skills ?? []),
  ];
  const paths = [
    ...(given.workspace === null ? [] : [given.workspace]),
    ...outside.places.map(({ folder }) => folder),
    ...reads.flatMap(({ path, written }) => [path, written]),
    ...commands.flatMap(({ binary, repository }) => [
      ...(binary === null ? [] : [binary.path, binary.real]),
      ...(repository === null ? [] : [repository.folder]),
    ]),
    ...((await ports.gitOfOwner?.())?.binds ?? []).map(({ to }) => to),
  ];
  const isIn = (path: string): boolean =>
    path !== part.folder && isInside(part.folder, path) && !shows(part, path);
  const linked = outside.links.filter(({ path }) => isIn(path));
  const found: Place[] = linked.map(({ path, target }) => ({ path, kind: { target } }));
  for (const path of new Set(paths.map((each) => join(each)))) {
    const status = isIn(path) ? await entryIfThere(path) : null;
    const isBehind = linked.some((link) => isInside(link.path, path));
    if (status !== null && !isBehind) found.push({ path, kind: status.isDirectory() ? "folder" : "file" });
  }
  return found.toSorted((one, other) => one.path.length - other.path.length);
}

/**
 * What a command changes outside of the workspace, in words of a doubt; null where it changes nothing there.
 */
export function outsideWords(command: PlannedCommand, workspace: string | null): string | null {
  const [first, ...others] = workspace === null ? [] : changesOutside(command, workspace);
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `it changes ${first.path}${more}, outside of the workspace`;
}
