import type { GrownTexts } from "../../memory/state/forget-turn.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import { countOf } from "../../text/count-of.ts";
import type { DerivedLookups } from "./plan-derived.ts";

/** What the agent made of a source by itself, and what to tell of the turns that keep texts of it. */
export type FoundTexts = { readonly texts: GrownTexts; readonly left: readonly string[] };

/**
 * Finds what jobs, sub-tasks and other turns that nobody began made of a source, over any number of hops. What the owner's own turns made of it is theirs to
 * take back: it is only told.
 */
export async function findGrownTexts(
  { grownFrom, jobsFrom }: Pick<DerivedLookups, "grownFrom" | "jobsFrom">,
  named: string,
): Promise<FoundTexts> {
  const { source, derived } = await grownFrom(named);
  const own = new Set(source.turns.map(({ id }) => id));
  const turns = derived.turns.filter(({ id }) => !own.has(id));
  const { jobs } = await jobsFrom(derived.isDerived);
  const byNobody = ({ signal }: Turn): boolean => signal.person === "nobody";
  const others = turns.filter((turn) => !byNobody(turn) && isFinal(turn.state)).length;
  return {
    texts: { turns: turns.filter(byNobody).map(({ id }) => id), isDerived: derived.isDerived },
    left: [
      ...(others === 0
        ? []
        : [
            `${countOf(others, "other turn")} of yours may have texts of it: /forget --derived-from ${named} shows all that grew from it, and takes it.`,
          ]),
      ...jobs.map(
        ({ name }) =>
          `The job ${name} is made of it, and runs on: /forget --derived-from ${named} takes it back too.`,
      ),
      ...describeRunning(turns),
    ],
  };
}

/** Says which turns keep their texts since they are not over. */
export function describeRunning(turns: readonly Turn[]): readonly string[] {
  const running = turns.filter(({ state }) => !isFinal(state)).length;
  return running === 0
    ? []
    : [`${countOf(running, "turn")} that is not over may have texts of it: forget once more when it is.`];
}
