import type { Effect } from "../../signal/effect.ts";
import type { JailPort, JailReply } from "../../signal/jail-work.ts";
import type { SkillDeclaration } from "../../signal/skill.ts";
import type { SkillFailure } from "../../signal/skill-failure.ts";
import { limitsOfSkill } from "../../signal/skill-limits.ts";
import type { JsonObject } from "../../text/json.ts";
import { readGateAnswer, wrongAnswer } from "../ask-gates.ts";
import { type CheckedSkill, checkSkill, declarationOf, describeReply, loadLimits } from "../check-skill.ts";
import { type ReadSkill, readSkillFile } from "../read-skill-file.ts";
import { findGateChange } from "./find-gate-change.ts";

/** An objection of a gate of the skill, from the journal. */
export type RecordedObjection = {
  readonly gate: string;
  readonly result: "ask" | "block";
  readonly effect: Effect;
  readonly about: JsonObject;
};

/** The inputs of a proof. `failure` is null if only the tests of the skill failed. */
export type FixTrial = {
  readonly file: string;
  /** The version that fails. */
  readonly before: string;
  readonly after: string;
  readonly failure: Pick<SkillFailure, "where" | "input"> | null;
  readonly objections: readonly RecordedObjection[];
  readonly openJail: () => Promise<JailPort>;
};

/** A proved fix with the number of its tests and objections, or the reason why it is refused. */
export type ProvedFix =
  | {
      readonly ok: true;
      readonly tests: number;
      readonly objections: number;
    }
  | { readonly ok: false; readonly problem: string };

/** Generous limits, so that a busy machine does not refuse a fix. */
const callLimits = { milliseconds: 10_000, maxCharacters: 100_000 };

/**
 * Tests a fix in the jail. It has to keep every test of the old version word by word and pass it, take the input that failed, make each recorded objection as
 * strictly as before, and loosen no limit, capability or guard of the skill.
 */
export async function proveFix(trial: FixTrial): Promise<ProvedFix> {
  const { file, before, after, openJail } = trial;
  const [old, now] = [readSkillFile(file, before), readSkillFile(file, after)];
  if (!now.ok) return refused(now.problem);
  const looser = findLooser(old, now);
  if (looser !== null) return refused(looser);
  const checked = await checkSkill({ file, text: after }, openJail);
  if (!checked.ok) return refused(checked.problem);
  const jail = await openJail();
  try {
    const ask = (work: Parameters<JailPort["request"]>[0]): Promise<JailReply> =>
      jail.request(work, work.kind === "load" ? loadLimits : callLimits, new AbortController().signal);
    const loaded = await ask({ kind: "load", code: checked.code, file });
    if (!loaded.ok) return refused(`${file}: ${describeReply(loaded)}`);
    const { failure } = trial;
    if (failure !== null && failure.input !== null) {
      const again = await ask({ kind: "call", path: failure.where, values: failure.input });
      const isWrong = again.ok && failure.where[0] === "gates" && readGateAnswer(again.json) === undefined;
      if (isWrong)
        return refused(`${failure.where.join(".")} still fails with the same input: ${wrongAnswer}`);
      if (!again.ok)
        return refused(`${failure.where.join(".")} still fails with the same input: ${describeReply(again)}`);
    }
    const loosened = await replay(trial, checked, ask);
    if (loosened !== null) return refused(loosened);
    const changed = findRedeclared(await declarationOf({ file, text: before }, openJail), checked.declared);
    if (changed !== null) return refused(changed);
    return {
      ok: true,
      tests: checked.tests.length,
      objections: trial.objections.length,
    };
  } finally {
    await jail.end();
  }
}

function refused(problem: string): ProvedFix {
  return { ok: false, problem };
}

/** The first limit, capability, guard or test that the new version loosens, in a sentence; null if it loosens none. */
function findLooser(old: ReadSkill, now: ReadSkill & { readonly ok: true }): string | null {
  if (!old.ok)
    return `The version before cannot be read, so nothing says what a fix has to keep: ${old.problem}`;
  const added = now.head.capabilities.find((word) => !old.head.capabilities.includes(word));
  if (added !== undefined) return `The fix wants to call ${added}, which the skill may not.`;
  const [before, after] = [limitsOfSkill(old.head), limitsOfSkill(now.head)];
  if (after.calls > before.calls || after.seconds > before.seconds)
    return "The fix may use more in a turn than the skill (#+TOOL_CALLS:, #+SECONDS:).";
  const lost = old.head.guards.find((kind) => !now.head.guards.includes(kind));
  if (lost !== undefined) return `The fix no longer guards ${lost}.`;
  if (toldBy(old) !== toldBy(now)) return toldOtherwise;
  const gate = findGateChange(old.code.blocks, now.code.blocks);
  if (gate !== null) return gate;
  const gone = old.code.tests.find(
    ({ name, code }) =>
      !now.code.tests.some((test) => test.name === name && test.code.trim() === code.trim()),
  );
  return gone === undefined ? null : `The fix changes or removes the test '${gone.name}'.`;
}

const toldOtherwise =
  "The fix changes what the skill tells the model or when it takes part. Only its code can be mended this way.";

/** A sentence if the code of the new version declares other tools, gates or commands than the old one; null otherwise. */
function findRedeclared(old: SkillDeclaration | null, now: SkillDeclaration): string | null {
  if (old === null) return "The version before cannot be loaded, so nothing says what a fix has to keep.";
  return declaredBy(old) === declaredBy(now) ? null : toldOtherwise;
}

function declaredBy({
  triggers,
  prompts,
  mandates,
  recovers,
  tools,
  gates,
  commands,
}: SkillDeclaration): string {
  const inOrder = <One extends { readonly name: string }>(all: readonly One[]): readonly One[] =>
    all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return JSON.stringify([
    triggers,
    prompts,
    mandates,
    recovers,
    inOrder(tools),
    inOrder(gates),
    inOrder(commands),
  ]);
}

function toldBy({ head }: ReadSkill & { readonly ok: true }): string {
  const { title, id, dependsOn, priority, trigger, prompt, mandates, hooks, crons, job } = head;
  return JSON.stringify([title, id, dependsOn, priority, trigger, prompt, mandates, hooks, crons, job]);
}

const strictness = { pass: 0, ask: 1, block: 2 };

/** Replays the recorded objections against the gates of the new version. Returns the first that is weaker now, in a sentence, or null. */
async function replay(
  { objections }: FixTrial,
  { declared }: CheckedSkill & { readonly ok: true },
  ask: (work: Parameters<JailPort["request"]>[0]) => Promise<JailReply>,
): Promise<string | null> {
  for (const { gate, result, effect, about } of objections) {
    const now = declared.gates.find(({ name }) => name === gate);
    const isAsked = now?.effects.includes(effect.kind) === true;
    const values = JSON.stringify([effect, about]);
    const reply = isAsked ? await ask({ kind: "call", path: ["gates", gate, "answer"], values }) : null;
    if (reply?.ok === false)
      return `The gate ${gate} gave no answer to ${effect.kind} of ${effect.target}: ${describeReply(reply)}.`;
    const answer = reply === null ? "pass" : resultOf(reply.json);
    if (strictness[answer] < strictness[result])
      return `The gate ${gate} objected to ${effect.kind} of ${effect.target} (${result}), and with the fix it would not (${answer}).`;
  }
  return null;
}

/** An unreadable answer counts as no objection, so a fix that gives one is refused. */
function resultOf(json: string): "pass" | "ask" | "block" {
  const answer = readGateAnswer(json) ?? null;
  if (answer === null) return "pass";
  return "block" in answer ? "block" : "ask";
}

/** Appends a test for the input that failed to the file, so that every later version is tested with it. Null if the input is not kept. */
export function withTestFor(
  text: string,
  { where, input }: Pick<SkillFailure, "where" | "input">,
): string | null {
  if (input === null) return null;
  const path = where.map((name) => `[${JSON.stringify(name)}]`).join("");
  const end = text.endsWith("\n") ? "" : "\n";
  const name = `${where.join(" ")} takes what it failed with`;
  return `${text}${end}\n#+begin_src typescript :test ${name}\nawait skill${path}(...${escapeForOrg(input)});\n#+end_src\n`;
}

/** JSON on one line that no line of Org can begin in. */
function escapeForOrg(json: string): string {
  return json.replaceAll("\n", " ");
}
