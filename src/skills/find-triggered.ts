import type { CallSkill } from "../signal/jail-work.ts";
import { joinLabels, type Label, leastTrusted } from "../signal/label.ts";
import { isOwnSkill, labelOfSkill } from "../signal/label-of-skill.ts";
import { matchesTrigger } from "../signal/match-trigger.ts";
import type { Signal } from "../signal/signal.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { beginOf } from "../text/cut-text.ts";
import { parseJson } from "../text/parse-json.ts";

/** The text that a skill has for the prompt of a turn. The owner's own words stay beside it, and they alone license. */
export type TaughtText = { readonly skill: string; readonly text: string; readonly label: Label };

/** What finding the skill of a turn needs. */
export type FindTriggeredParts = {
  readonly inForce: readonly AcceptedSkill[];
  readonly call: CallSkill;
  /** The tags of the notes that the signal is about. */
  readonly tags: () => Promise<ReadonlySet<string>>;
  readonly report: (message: string) => void;
};

/** The most characters that a skill adds to a prompt. */
const mostCharacters = 4000;
const limits = { milliseconds: 1000, maxCharacters: 10_000 };

/** The text of the skill that a signal triggers: that of the command which the owner typed, else of the highest priority, then name, whose trigger matches. Null where none does, or where it has no text. What throws does not match. */
export async function findTaughtText(parts: FindTriggeredParts, signal: Signal): Promise<TaughtText | null> {
  const skill = await findTriggered(parts, signal);
  if (skill === null) return null;
  const { head, declared } = skill;
  const made = declared.prompts ? await askFunction(parts, { skill, name: "prompt", signal }) : null;
  const isOwn = isOwnSkill(skill);
  const standing = isOwn ? [] : [...head.mandates, await askMandate(parts, skill, signal)];
  const text = [...standing.filter((line) => line !== ""), head.prompt, typeof made === "string" ? made : ""]
    .join("\n\n")
    .trim()
    .slice(0, mostCharacters);
  if (text === "") return null;
  return {
    skill: head.name,
    text,
    label:
      made === null && (isOwn || declared.mandates !== true)
        ? labelOfSkill(skill)
        : labelOfMade(skill, signal),
  };
}

/**
 * The skills whose mandates are asked for in a turn, those of the highest priority: each may take its whole
 * time.
 */
const mostMandates = 10;
const mostLines = 20;
const longestLine = 500;

/**
 * The standing instructions that the owner's own skills make of a turn's context, the highest priority first.
 * One that fails is left out, and reported. The fixed ones stand in the constant part
 * of the prompt, and those of any other skill with its other words.
 */
export async function findMandates(
  parts: Omit<FindTriggeredParts, "tags">,
  signal: Signal,
): Promise<readonly TaughtText[]> {
  const asked = parts.inForce
    .filter((skill) => isOwnSkill(skill) && skill.declared.mandates === true)
    .toSorted(byPriority)
    .slice(0, mostMandates);
  const texts = await Promise.all(
    asked.map(async (skill) => ({ skill, text: await askMandate(parts, skill, signal) })),
  );
  return texts.flatMap(({ skill, text }) =>
    text === "" ? [] : [{ skill: skill.head.name, text, label: labelOfMade(skill, signal) }],
  );
}

/** The lines that the function `mandate` of a skill gives; empty where it has none, or fails. */
async function askMandate(
  parts: Omit<FindTriggeredParts, "tags">,
  skill: AcceptedSkill,
  signal: Signal,
): Promise<string> {
  if (skill.declared.mandates !== true) return "";
  const made = await askFunction(parts, { skill, name: "mandate", signal });
  if (made === null) return "";
  const lines = typeof made === "string" ? made.split("\n") : made;
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === "string")) {
    parts.report(
      `The mandate of the skill ${skill.head.name} was left out: it gave neither text nor a list of texts.`,
    );
    return "";
  }
  return lines
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .slice(0, mostLines)
    .map((line) => beginOf(line, longestLine))
    .join("\n");
}

/** The order in which skills are asked whether they take part: the highest priority first, then by name. */
export function byPriority({ head: a }: AcceptedSkill, { head: b }: AcceptedSkill): number {
  return b.priority - a.priority || (a.name < b.name ? -1 : 1);
}

/** The label of what the code of a skill makes of a signal. */
export function labelOfMade(skill: AcceptedSkill, { label }: Pick<Signal, "label">): Label {
  return joinLabels(labelOfSkill(skill), { ...label, integrity: leastTrusted(label.integrity, "agent") });
}

async function findTriggered(parts: FindTriggeredParts, signal: Signal): Promise<AcceptedSkill | null> {
  const command = signal.payload["expanded"];
  const ordered = parts.inForce.toSorted(byPriority);
  const commanded = ordered.find(({ declared }) => declared.commands.some(({ name }) => name === command));
  if (commanded !== undefined) return commanded;
  const asksTags = ordered.some(({ head }) => head.trigger?.tags !== undefined);
  const triggering = asksTags ? { ...signal, tags: await parts.tags() } : signal;
  for (const skill of ordered) {
    const { head, declared } = skill;
    if (head.trigger === null && !declared.triggers) continue;
    if (head.trigger !== null && !matchesTrigger(head.trigger, triggering)) continue;
    if (!declared.triggers || (await askFunction(parts, { skill, name: "trigger", signal })) === true)
      return skill;
  }
  return null;
}

type FunctionRequest = {
  readonly skill: AcceptedSkill;
  readonly name: "trigger" | "prompt" | "mandate";
  readonly signal: Signal;
};

/** Null where the function fails. */
async function askFunction(
  { call, report }: Pick<FindTriggeredParts, "call" | "report">,
  { skill, name, signal }: FunctionRequest,
): Promise<unknown> {
  const { sensor, source, text, label } = signal;
  const values = JSON.stringify([{ sensor, source, text, ...(name === "mandate" ? { at: signal.at } : {}) }]);
  const reply = await call(skill, { path: [name], values, limits, label }, new AbortController().signal);
  if (reply.ok && reply.json.length <= limits.maxCharacters) return parseJson(reply.json);
  const why = reply.ok ? "it gave too much" : reply.message;
  report(
    `The ${name} of the skill ${skill.head.name} failed, and the turn goes on without it: ${beginOf(why, 300)}`,
  );
  return null;
}
