import { writtenIn } from "./evidence.ts";
import { readToolName } from "./license-act.ts";
import type { ReadCall, TracedResult, TraceSources, Written } from "./trace-context.ts";

/** The results of a turn with what their tools do, and what the model wrote for each. */
export function tracedResults(sources: TraceSources, readCall: ReadCall): readonly TracedResult[] {
  return sources.results.map((result, at): TracedResult => {
    const act = readCall(result.tool, result.args)?.act ?? null;
    const { senses, nouns } = readToolName(result.tool);
    return {
      ...result,
      reads: act === "read",
      fetches: act === "fetch",
      written: writtenBefore(sources, at),
      made: act !== "read" && act !== "fetch" && senses.has("create"),
      nouns,
    };
  });
}

/**
 * What the model wrote for one result: the arguments of its call and of those that failed before it, and what
 * the agent wrote into a file that it shows; also the arguments of the other turns that work for the request
 * and began before it, or at nobody knows which time.
 */
function writtenBefore(
  { results, failed = [], otherTurns = [], writtenFiles }: TraceSources,
  at: number,
): readonly Written[] {
  const others = otherTurns
    .filter(({ place = 0 }) => place === at)
    .flatMap((turn) => [...turn.results, ...(turn.failed ?? [])]);
  const tried = failed.filter(({ place }) => place === at);
  const own = results.slice(at, at + 1);
  const files = own.flatMap(({ id }) => writtenFiles?.get(id) ?? []);
  return [...[...own, ...tried, ...others].map(({ args }) => writtenIn(args)), ...files.map(writtenIn)];
}
