import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { commandOf } from "../../shown/action-text.ts";
import { type Approval, endorsableOf } from "../../signal/approval.ts";
import { makeOffers, type Offer } from "../../signal/offer.ts";
import { describeError } from "../../text/describe-error.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { isSameJson } from "../../text/json.ts";
import type { RecordPolicy } from "./record-policy.ts";

/** What rules are proposed from and kept with. */
export type RuleParts = {
  readonly state: Pick<State, "approvals" | "sessions" | "shadowRules">;
  readonly policy: Pick<Policy, "rules">;
};

/** How many of the last answers are looked at: for a rule, and for whether somebody still reads. */
const lastAnswers = 200;
/** More than 90 % of the last answers of a kind. */
const habitOf = { last: 20, yes: 19 };

type Answered = Awaited<ReturnType<typeof answeredActions>>;

/** What a question says besides itself: the rule that would spare it, and that its kind is nearly always answered yes. */
export type QuestionAdvice = {
  readonly rule?: string;
  readonly offers?: readonly Offer[];
  readonly habit?: string;
};

/** Finds what a question may offer. */
export async function adviseQuestion(
  parts: RuleParts & { readonly filter: (text: string) => string },
  approval: Approval,
): Promise<QuestionAdvice> {
  const answered = await answeredActions(parts);
  const shadow = await parts.state.shadowRules.get();
  const proposed = parts.policy.rules.propose(await askedAction(parts, approval), answered, shadow);
  const habit = habitIn(approval, answered);
  if (typeof proposed !== "string")
    await parts.state.approvals.showRule(approval, parts.policy.rules.digestOf(proposed.rule));
  const [, ...rule] = typeof proposed === "string" ? [] : parts.policy.rules.describe(proposed.rule);
  const values = endorsableOf(approval, parts.filter).endorsable ?? [];
  return {
    ...(rule.length === 0 ? {} : { rule: rule.join(" ").trim() }),
    ...makeOffers({
      values,
      rule: rule.map(parts.filter),
      workspace: await workspaceOf(parts, approval.session),
    }),
    ...(habit === null ? {} : { habit }),
  };
}

/** That nearly all of the last questions of a kind were answered yes: a person who always says yes reads no more. */
function habitIn({ codes }: Approval, answered: Answered): string | null {
  const kind = kindOf(codes);
  const last = answered.filter((one) => kindOf(one.codes) === kind).slice(0, habitOf.last);
  const yes = last.filter((one) => one.yes).length;
  return last.length < habitOf.last || yes < habitOf.yes
    ? null
    : `You said yes to ${yes} of the last ${last.length} questions of this kind.`;
}

function kindOf(codes: readonly string[]): string {
  return [...new Set(codes)].sort().join(" ");
}

/** Shows the rule that would spare a question, and keeps it if the owner says so: only the rule that was shown last. */
export async function always(
  parts: RuleParts & { readonly recordPolicy: RecordPolicy },
  token: string,
  keep: boolean,
): Promise<{ readonly code: "rule" | "rule-kept" | "no-rule"; readonly text: string }> {
  const { rules } = parts.policy;
  const approval = await parts.state.approvals.byToken(token);
  if (approval?.state !== "open")
    return {
      code: "no-rule",
      text: "This token belongs to no open question. /status lists the open questions.",
    };
  const answered = await answeredActions(parts);
  const shadow = await parts.state.shadowRules.get();
  const proposed = rules.propose(await askedAction(parts, approval), answered, shadow);
  if (typeof proposed === "string")
    return {
      code: "no-rule",
      text: `No rule can spare this question: ${proposed}. Answer with /approve or /deny.`,
    };
  const { rule, yes, no } = proposed;
  const words = rules.describe(rule).map((text) => escapeInvisible(text));
  const isShown = approval.shownRule === rules.digestOf(rule);
  if (!isShown) await parts.state.approvals.showRule(approval, rules.digestOf(rule));
  if (!keep || !isShown) {
    const text = [
      ...(keep
        ? ["Nothing was kept: this is not the rule that was shown before, since your answers changed it."]
        : []),
      "This rule would allow from now on,",
      ...words,
      `Of your last ${answered.length} answers it would have spared ${yes + no}: ${yes} yes, ${no} no.`,
      `Keep it and say yes: /always ${token} keep`,
    ];
    return { code: "rule", text: text.join("\n") };
  }
  try {
    const name = rules.keep(rule);
    await parts.recordPolicy(approval.session);
    return {
      code: "rule-kept",
      text: `Kept as the rule ${name}. To take it back: passepartout rules forget ${name}`,
    };
  } catch (error) {
    const text = `The rule was not kept: ${describeError(error)}. The question still waits: answer with /approve or /deny.`;
    return { code: "no-rule", text };
  }
}

/** Has the rules in shadow learn from an answer that was just given. */
export async function observeAnswer(parts: RuleParts, approval: Approval, yes: boolean): Promise<void> {
  const { shadowRules } = parts.state;
  const before = await shadowRules.get();
  const answer = { ...(await askedAction(parts, approval)), yes };
  const [, ...former] = await answeredActions(parts);
  const after = parts.policy.rules.observe(before, answer, former);
  if (!isSameJson(before ?? [], after)) await shadowRules.set(after);
}

/** The last answers of the owner, newest first. */
export async function answeredActions(parts: RuleParts) {
  const answered = await parts.state.approvals.answered(lastAnswers);
  return Promise.all(
    answered.map(async ({ session, state, ...rest }) => ({
      ...rest,
      workspace: await workspaceOf(parts, session),
      yes: state === "approved",
    })),
  );
}

async function askedAction(parts: RuleParts, { session, action, effects, asks = [] }: Approval) {
  return { workspace: await workspaceOf(parts, session), command: commandOf(action), effects, asks };
}

async function workspaceOf({ state }: RuleParts, session: string): Promise<string | null> {
  return (await state.sessions.get(session))?.workspace ?? null;
}
