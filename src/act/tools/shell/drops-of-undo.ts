import type { Effect } from "../../../signal/effect.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { JsonObject } from "../../../text/json.ts";
import type { CommandOverlays } from "../../trial/command-overlays.ts";

/**
 * What undo keeps of older commands and would be dropped, since there is no more room for what another
 * command changes.
 */
export type DropsOfUndo = {
  readonly sets: readonly string[];
  readonly effects: readonly Effect[];
  /** What the approval is bound to. */
  readonly plan: JsonObject;
};

/** Folders that the question names. */
const mostNamed = 5;

/**
 * What would be dropped before another command changes anything over an overlay; nothing where there is
 * room, or no overlay.
 */
export async function dropsOfUndo(overlays: CommandOverlays | undefined): Promise<DropsOfUndo> {
  const drops = (await overlays?.planDrops()) ?? [];
  if (drops.length === 0) return { sets: [], effects: [], plan: {} };
  const sets = drops.map(({ set }) => set);
  const folders = [...new Set(drops.map(({ workspace }) => workspace))].sort();
  const more = folders.length > mostNamed ? ` and ${folders.length - mostNamed} more folders` : "";
  const target = `${folders.slice(0, mostNamed).join(", ")}${more}`;
  const count = sets.length === 1 ? "the oldest command" : `the ${sets.length} oldest commands`;
  const effect: Effect = {
    kind: "change-memory",
    target,
    realm: "own",
    operation: `drop what ${count} displaced in ${target} (kept for undo)`,
    label: bottomLabel,
    reversal: "final",
  };
  return { sets, effects: [effect], plan: { drops: sets } };
}
