import type { Action } from "../signal/action.ts";
import type { DeclaredEffects } from "../signal/actuator.ts";
import type { Effect, Reversal } from "../signal/effect.ts";
import type { Caller, Tool } from "../signal/tool.ts";
import { beginOf } from "../text/cut-text.ts";
import type { ActionNames, Actuator, ActuatorRegistry, NameRegistry, Work } from "./actuators.ts";
import { notFound, sourceOf } from "./built-in-actuators.ts";
import type { ActProblem } from "./files/fallible.ts";

/**
 * A resolved action: what performs it. `target` is the registered name of the actuator, `declares` what
 * that and its tool may do.
 */
export type ResolvedAction = Work & {
  readonly target: string;
  readonly declares: readonly DeclaredEffects[];
};

type Names = {
  readonly actuators: ActuatorRegistry;
  readonly tools: NameRegistry<Tool>;
  readonly defaultActuator: string;
};

/**
 * Finds what performs an action. An action without a target goes to the source of the turn, else to the
 * default actuator.
 */
export function resolveAction(
  action: Action,
  caller: Caller,
  { actuators, ...others }: Names,
): ({ readonly ok: true } & ResolvedAction) | ActProblem {
  const served = servedBy(actuators, caller);
  const names: ActionNames = {
    ...others,
    actuators: { names: served.map(({ name }) => name), find: (name) => actuators.find(name) },
  };
  const wanted = action.target.toLowerCase();
  const actuator =
    wanted === "" ? sourceOf(caller, names) : served.find(({ name }) => name.toLowerCase() === wanted);
  if (actuator === undefined) return notFound("Target", action.target, names.actuators);
  const work = actuator.perform(action.payload, caller, names);
  if (!work.ok) return work;
  const own = work.kind === "tool" ? work.tool.declares : undefined;
  const declares = [actuator.declares ?? [], own ?? []].flat();
  return { ...work, target: actuator.name, declares };
}

/** The actuators that can be reached in the turns of a caller. */
export function servedBy(
  actuators: Pick<ActuatorRegistry, "all">,
  caller: Pick<Caller, "source">,
): readonly Actuator[] {
  return actuators.all().filter(({ serves }) => serves?.(caller) ?? true);
}

/**
 * What an action would do beyond what its actuator or its tool declares, in a sentence; null where it keeps
 * within that.
 */
export function findUndeclared(
  effects: readonly Effect[],
  resolved: ResolvedAction,
  { rounds = [] }: Pick<Caller, "rounds">,
): string | null {
  const what =
    resolved.kind === "tool" ? `The tool '${resolved.tool.name}'` : `The message to ${resolved.channel}`;
  // What it called in earlier rounds was done.
  const undone = rounds.length === 0 ? " Nothing was done." : "";
  const beyond = ({ kind, target }: Effect, as: string): string =>
    `${what} would do what it does not declare: ${kind} ${beginOf(target, 300)}${as}.${undone}`;
  for (const { effects: kinds, reversal = "undoable" } of resolved.declares)
    for (const effect of effects) {
      if (!kinds.includes(effect.kind)) return beyond(effect, "");
      if (reversals.indexOf(effect.reversal) < reversals.indexOf(reversal))
        return beyond(effect, ` as ${effect.reversal}`);
    }
  return null;
}

/** The better undone, the further ahead. */
const reversals: readonly Reversal[] = ["undoable", "compensable", "final"];
