import type { Effect } from "../../signal/effect.ts";
import type { UndoDecision, UndoRequest } from "./undo-request.ts";

/** What of an undo may be done: its effects, and the paths that stay as they are, each with the reason. */
type Permission =
  | (Extract<UndoDecision, { readonly ok: true }> & {
      readonly effects: readonly Effect[];
      readonly stays: ReadonlyMap<string, string>;
    })
  | { readonly ok: false; readonly reason: string };

/** Judges the effects of an undo. A path that is blocked does not keep the others from being undone. */
export async function judgeUndo(
  { judge }: Pick<UndoRequest, "judge">,
  effects: readonly Effect[],
): Promise<Permission> {
  const decision = await judge(effects);
  if (decision.ok) return { ...decision, effects, stays: new Map() };
  const blocked = [...decision.blocked].flatMap(([index, reason]) => {
    const effect = effects[index];
    return effect === undefined ? [] : [{ effect, reason }];
  });
  const rest = effects.filter((_, index) => !decision.blocked.has(index));
  if (blocked.length === 0 || !blocked.every(({ effect }) => isOfOnePath(effect))) return decision;
  const again = await judge(rest);
  if (!again.ok) return decision;
  const stays = new Map(blocked.map(({ effect, reason }) => [effect.target, reason]));
  return { ...again, effects: rest, stays };
}

function isOfOnePath(effect: Effect): boolean {
  return effect.kind === "delete-path" || (effect.kind === "write-path" && effect.tree !== true);
}
