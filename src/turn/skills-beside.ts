import type { Effect } from "../signal/effect.ts";
import { joinAll, skillOfSource } from "../signal/label.ts";
import type { Turn } from "../signal/turn.ts";

/**
 * Says which skills have words in a turn: who is asked should know whose words the model read. Empty where
 * there are none.
 */
export function skillsBeside({ messages }: Turn, effects: readonly Effect[]): readonly string[] {
  const labels = messages.map((message) =>
    message.role === "result" ? message.result.label : message.label,
  );
  const { sources } = joinAll([...labels, ...effects.map(({ label }) => label)]);
  const names = new Set(sources.flatMap(({ id }) => skillOfSource(id) ?? []));
  const [first, ...others] = names;
  if (first === undefined) return [];
  const skills = others.length === 0 ? `the skill ${first}` : `the skills ${[first, ...others].join(", ")}`;
  return [`words of ${skills} take part in this turn`];
}
