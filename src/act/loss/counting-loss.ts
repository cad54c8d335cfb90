import type { Preparation, Tool } from "../../signal/tool.ts";
import type { Version } from "../trial/lost-files.ts";
import type { LosingCall } from "./extent-of-loss.ts";

/** What the loss of a call is worked out with, besides its turn. */
export type CountingPorts = Pick<LosingCall, "overlays" | "mask"> & { readonly home: string };

type Ready = Extract<Preparation, { readonly ok: true }>;

/**
 * A tool whose changes of files count with what its turn lost before. What no model proposes is not counted.
 */
export function countingLoss(tool: Tool, ports: CountingPorts): Tool {
  if (tool.internal === true) return tool;
  return {
    ...tool,
    async prepare(args, caller, labelOf) {
      const prepared = await tool.prepare(args, caller, labelOf);
      const { sources, workspace } = caller;
      if (!prepared.ok || sources === undefined || (prepared.rewrites ?? []).length === 0) return prepared;
      const folder = workspace ?? ports.home;
      return withExtent(prepared, { ...ports, sources, folder, cmd: "", worded: async () => [] });
    },
  };
}

/** Adds to the first file that a call writes how much its turn loses with it. */
async function withExtent(prepared: Ready, call: LosingCall): Promise<Ready> {
  const [{ extentOfLoss }, { makeBuiltAgainTest }, { versionOf }] = await Promise.all([
    import("./extent-of-loss.ts"),
    import("../trial/built-again.ts"),
    import("../trial/lost-files.ts"),
  ]);
  const isBuiltAgain = makeBuiltAgainTest(call.folder);
  const changed = (prepared.rewrites ?? []).map(({ path, before, after }) => ({
    path,
    before: versionOf(before),
    after: versionOf(after),
  }));
  const made = async (): Promise<readonly Version[]> => {
    const kept: Version[] = [];
    for (const { path, after } of changed) if (!(await isBuiltAgain(path))) kept.push(after);
    return kept;
  };
  const paths = new Set(changed.map(({ path }) => path));
  const extent = await extentOfLoss({ changed, paths, made }, call);
  const at = prepared.effects.findIndex(({ kind }) => kind === "write-path");
  const effects = prepared.effects.map((effect, index) =>
    extent !== null && index === at && effect.kind === "write-path" ? { ...effect, extent } : effect,
  );
  return { ...prepared, effects };
}
