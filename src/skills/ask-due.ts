import type { CallSkill } from "../signal/jail-work.ts";
import { bottomLabel } from "../signal/label.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { parseJson } from "../text/parse-json.ts";

/** What asking a skill needs. */
export type AskDueParts = { readonly call: CallSkill; readonly report: (message: string) => void };

/** A heartbeat as a skill is told it. Unix milliseconds; `last` is null before the first run of its job. */
export type Beat = { readonly now: number; readonly last: number | null };

const limits = { milliseconds: 1000, maxCharacters: 100 };

/** Whether the job of a skill is due at a heartbeat, by the skill's own function; always where it has none. What fails is not due. */
export async function askDue(
  { call, report }: AskDueParts,
  skill: AcceptedSkill,
  { now, last }: Beat,
): Promise<boolean> {
  if (!skill.declared.triggers) return true;
  const signal = {
    sensor: "heartbeat",
    source: "system",
    text: "",
    time: new Date(now).toISOString(),
    last: last === null ? null : new Date(last).toISOString(),
  };
  const wanted = { path: ["trigger"], values: JSON.stringify([signal]), limits, label: bottomLabel };
  const reply = await call(skill, wanted, new AbortController().signal);
  if (reply.ok) return parseJson(reply.json) === true;
  report(`The trigger of the skill ${skill.head.name} failed, and its job was not begun: ${reply.message}`);
  return false;
}
