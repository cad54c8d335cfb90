import { resolve } from "node:path";
import type { Extent } from "../../signal/effect.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { canonicalJson } from "../../text/json.ts";
import { type ExtentRequest, extentOf, findSet, unknownExtent } from "./extent.ts";
import type { ShellParser } from "./parse.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "./plan.ts";
import { destroyedSet, onlyWrites } from "./programs/destroyed-set.ts";
import { wordedChanges } from "./programs/worded-changes.ts";

/** What the extents of a line are worked out with. */
export type LineContext = Pick<PlanEnvironment, "cwd" | "mayLook" | "home"> & {
  readonly cmd: string;
  readonly parser: ShellParser;
  /** Null where no turn is known whose words could name anything: then nothing is asked. */
  readonly sources: TurnSources | null;
  /** The files that earlier calls of the turn took away, as they are shown. */
  readonly lostBefore: () => Promise<readonly string[]>;
};

/** How much each unproved command of a line destroys, with what the commands before it in this turn took away one by one. */
export async function extentsOf(
  plan: CommandPlan,
  { cmd, cwd, mayLook, home, parser, sources, lostBefore }: LineContext,
): Promise<ReadonlyMap<PlannedCommand, Extent>> {
  const extents = new Map<PlannedCommand, Extent>();
  if (sources === null) return extents;
  const { words } = sources;
  let taken: Map<string, readonly string[]> | undefined;
  for (const { commands } of plan) {
    for (const [at, command] of commands.entries()) {
      if (command.proof !== null) continue;
      const before = commands.slice(0, at).map((each) => each.argv);
      const { argv, worded } = command;
      const request: ExtentRequest = { argv, before, worded, cwd, cmd, words, mayLook };
      const set = await findSet(request);
      if (set === null) continue;
      const byTrial = onlyWrites(argv) ? { shownByTrial: true as const } : {};
      if (set.items === null) extents.set(command, { ...unknownExtent(set), ...byTrial });
      else {
        taken ??= await takenBefore({ cwd, home, parser, sources });
        // What a command writes is measured by its trial, and what it deletes counts before it runs.
        const lost = set.isRemoved ? await lostBefore() : [];
        const earlier = [...new Set([...(taken.get(set.kind) ?? []), ...lost])];
        const items = [...new Set([...earlier, ...set.items])];
        taken.set(set.kind, items);
        const extent = await extentOf({ ...set, items }, { ...request, earlier: earlier.length });
        if (extent !== null) extents.set(command, { ...extent, ...byTrial });
      }
    }
  }
  return extents;
}

/** The calls of a turn whose lines are looked at. */
type Earlier = Pick<LineContext, "cwd" | "home" | "parser"> & { readonly sources: TurnSources };

const mostCalls = 200;

/**
 * The single things that earlier commands of the turn took away, by kind, in their order. Left out: what the owner approved, since they saw it, and
 * files that the turn wrote by `write-file`.
 */
export async function takenBefore({
  cwd,
  home,
  parser,
  sources,
}: Earlier): Promise<Map<string, readonly string[]>> {
  const approved = new Set(sources.approved.map(({ args }) => canonicalJson(args)));
  const written = new Set(
    sources.results.flatMap(({ tool, args }) => (tool === "write-file" ? pathOf(args, cwd) : [])),
  );
  const lines = sources.results.flatMap(({ tool, args }) =>
    tool === "shell" && !approved.has(canonicalJson(args)) && typeof args["cmd"] === "string"
      ? [args["cmd"]]
      : [],
  );
  const taken = new Map<string, readonly string[]>();
  for (const line of lines.slice(-mostCalls)) {
    const program = await parser.parse(line, home);
    if (program.kind === "opaque") continue;
    for (const { argv } of program.pipelines.flatMap(({ commands }) => commands)) {
      const { kind, items } = destroyedSet(argv) ?? filesOf(argv);
      const added = (items ?? []).filter((item) => !/[*?[]/.test(item) && !written.has(resolve(cwd, item)));
      if (added.length > 0) taken.set(kind, [...new Set([...(taken.get(kind) ?? []), ...added])]);
    }
  }
  return taken;
}

function filesOf(argv: readonly string[]): { readonly kind: string; readonly items: readonly string[] } {
  const deleted = wordedChanges(argv).flatMap(({ path, how }) => (how === "delete" ? [path] : []));
  return { kind: "files", items: deleted };
}

function pathOf(args: TurnSources["results"][number]["args"], cwd: string): readonly string[] {
  const path = args["path"];
  return typeof path === "string" ? [resolve(cwd, path)] : [];
}
