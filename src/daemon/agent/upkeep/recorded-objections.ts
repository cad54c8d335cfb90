import type { State } from "../../../memory/state/state.ts";
import type { RecordedObjection } from "../../../skills/repair/prove-fix.ts";

/** Objections that a fix is tried on, the latest ones. */
const most = 500;

/** What the gates of a skill objected to, by the journal. Objections that a gate made because it failed are none of its rules. */
export async function recordedObjections(
  journal: Pick<State["journal"], "entries">,
  skill: string,
): Promise<readonly RecordedObjection[]> {
  const found = new Map<string, RecordedObjection>();
  for await (const { facts, effects } of journal.entries()) {
    if (facts === null) continue;
    for (const { skill: name, gate, effectIndex, result, reason } of facts.taught ?? []) {
      const effect = effects[effectIndex];
      const isRule =
        name === skill && gate !== "missing" && !/^a gate that does not answer blocks/.test(reason);
      if (!isRule || effect === undefined) continue;
      const { person, source, startedBy } = facts.origin;
      const about = {
        tool: facts.action.tool,
        person,
        source,
        startedBy,
        workspace: facts.folders.workspace,
      };
      const key = JSON.stringify([gate, result, effect, about]);
      found.delete(key);
      found.set(key, { gate, result, effect, about });
      if (found.size > most) for (const oldest of found.keys().take(1)) found.delete(oldest);
    }
  }
  return [...found.values()];
}
