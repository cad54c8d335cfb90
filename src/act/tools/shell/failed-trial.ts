import type { Effect } from "../../../signal/effect.ts";
import { canonicalJson, type JsonObject } from "../../../text/json.ts";
import { effectsOfTried } from "./prepare-tried.ts";
import type { CommandJudging } from "./shell-effects.ts";
import type { ShellRequest } from "./start-on-terminal.ts";

/** What an earlier trial of the turn failed for want of, as far as it bears on a line. */
type Lack = Pick<CommandJudging, "missed" | "inFolder">;

/** Looks up by the key of a line what its trial lacked. */
export function lackOf(key: string, { ports, caller }: Pick<ShellRequest, "ports" | "caller">): Lack {
  const trials = ports.overlays?.trials;
  return {
    missed: trials?.isMissed(caller.turn, key) === true,
    inFolder: trials?.whyFolder(caller.turn, key) ?? null,
  };
}

/** What a copy showed before a line failed there for want of more: it is asked about beside that. */
export async function effectsOfFailed(
  args: JsonObject,
  { missed, inFolder }: Lack,
  keeping: Parameters<typeof effectsOfTried>[1],
): Promise<readonly Effect[]> {
  if (!missed && inFolder === null) return [];
  const { network: _, ...withoutHosts } = args;
  const key = canonicalJson(missed ? withoutHosts : args);
  const seen = keeping.ports.overlays?.trials.find(keeping.caller.turn, key) ?? null;
  if (seen === null) return [];
  const found = await effectsOfTried(seen, keeping);
  if (found.ok) return found.value;
  const about = { target: seen.overlay.folder, change: "replace", tree: true, reversal: "final" } as const;
  const gets = "changes in more than can be looked through";
  return [{ kind: "write-path", ...about, label: keeping.writes.label, gets }];
}
