import * as z from "zod";
import type { PassepartoutError } from "../signal/failure.ts";
import type { CallSkill } from "../signal/jail-work.ts";
import type { Label } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { parseJson } from "../text/parse-json.ts";
import { describeReply } from "./check-skill.ts";
import { labelOfMade } from "./find-triggered.ts";

/** What a skill would do with a turn that got no answer. */
export type SkillRecovery = {
  readonly does: { readonly answer: string } | { readonly drop: true } | { readonly end: string };
  /** The label of its words. */
  readonly label: Label;
};

const limits = { milliseconds: 1000, maxCharacters: 5000 };

const words = z.string().trim().min(1).max(4000);
const recoverySchema = z.union([
  z.null(),
  z.strictObject({ answer: words }),
  z.strictObject({ drop: z.literal(true) }),
  z.strictObject({ end: words.max(500) }),
]);

/** Asks the function `recover` of a skill about a failure, in its jail. Null where it has nothing to offer. Throws, in words, where it fails or gives anything else. */
export async function askRecovery(
  { skill, call }: { readonly skill: AcceptedSkill; readonly call: CallSkill },
  error: PassepartoutError,
  signal: Signal,
): Promise<SkillRecovery | null> {
  const { sensor, source, text, label } = signal;
  const values = JSON.stringify([{ error: error.name, message: error.message, sensor, source, text }]);
  const path = ["recover"];
  const reply = await call(skill, { path, values, limits, label }, new AbortController().signal);
  if (!reply.ok) throw new Error(describeReply(reply));
  const given: unknown = reply.json.length > limits.maxCharacters ? undefined : parseJson(reply.json);
  const read = recoverySchema.safeParse(given);
  if (!read.success) throw new Error("it gave neither null, { answer }, { drop: true } nor { end }");
  return read.data === null ? null : { does: read.data, label: labelOfMade(skill, signal) };
}
