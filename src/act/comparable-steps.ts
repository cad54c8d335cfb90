import type { Effect } from "../signal/effect.ts";
import type { FileChange, Preparation } from "../signal/tool.ts";
import type { Json } from "../text/json.ts";

/**
 * What a prepared action would do besides reading, step by step, to be compared with what another model proposes: the contents of files and the words of messages count,
 * how a call was written does not. Files count by their new contents, whichever tool writes them.
 */
export function comparableSteps(
  name: string,
  { effects, plan, changes, comparable }: Extract<Preparation, { readonly ok: true }>,
): readonly Json[] {
  if (effects.every(onlyReads)) return [];
  if (comparable !== undefined) return comparable;
  const written = effects.filter((effect) => !onlyReads(effect));
  const isKnown = (effect: Effect): boolean =>
    effect.kind === "write-path" && changes.some(({ path }) => path === effect.target);
  return written.every(isKnown) ? changes.map(stepOf) : [{ name, plan, changes: changes.map(stepOf) }];
}

function stepOf({ path, before, after }: FileChange): Json {
  return { path, before, after };
}

/** What looks something up in memory. */
const lookups: ReadonlySet<string> = new Set([
  "agenda",
  "backlinks",
  "list-models",
  "read-result",
  "recall",
  "use-skill",
]);

function onlyReads(effect: Effect): boolean {
  return (
    effect.kind === "read-path" ||
    (effect.kind === "change-memory" && lookups.has(effect.operation)) ||
    (effect.kind === "run-program" && effect.proof !== null) ||
    (effect.kind === "use-service" && effect.act === "read")
  );
}
