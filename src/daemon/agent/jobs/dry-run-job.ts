import type { ActionPreparer } from "../../../act/prepare.ts";
import { countRequests, reflex } from "../../../reason/reflex.ts";
import type { Policy } from "../../../settings/policy.ts";
import { commandOf } from "../../../shown/action-text.ts";
import type { Call } from "../../../signal/action.ts";
import type { PlannedStep } from "../../../signal/effect.ts";
import type { FlightPlan } from "../../../signal/flight-plan.ts";
import type { JudgedAhead } from "../../../signal/jobs/job-shadow.ts";
import type { Label } from "../../../signal/label.ts";
import { conversationLabel, type Message } from "../../../signal/message.ts";
import type { Caller } from "../../../signal/tool.ts";
import { planOfSteps } from "./plan-of-steps.ts";

/** What judging a job beforehand needs. */
export type DryRunParts = {
  readonly preparer: Pick<ActionPreparer, "prepare" | "toolNames">;
  readonly policy: Pick<Policy, "judge" | "allowanceOfPlan">;
  readonly now: number;
};

/** Judges the lines of a reflex job as in a run without a person. Nothing runs, so files that an earlier call would make are missing. */
export async function dryRunLine(
  parts: DryRunParts,
  line: string,
  {
    caller,
    steps,
    label,
  }: { readonly caller: Caller; readonly steps: readonly PlannedStep[]; readonly label: Label },
): Promise<JudgedAhead> {
  const wanted = countRequests(line);
  if (wanted === 0) return { decision: "refuse", reason: "it is not understood without a model" };
  let messages: readonly Message[] = [{ role: "user", text: line, label }];
  const { session, workspace } = caller;
  let plan = planOfSteps(steps, { session, workspace, since: parts.now, until: parts.now + 1 });
  for (let place = 0; place < wanted; place += 1) {
    const answer = reflex({ messages, tools: parts.preparer.toolNames(), callId: `dry-run ${place}` });
    const [call] = answer.kind === "calls" ? answer.calls : [];
    if (call === undefined)
      return { decision: "unknown", reason: answer.kind === "reply" ? answer.text : "it makes no call" };
    const promptLabel = conversationLabel(messages);
    const tried = await dryRunCall(parts, call, { caller: { ...caller, promptLabel }, plan });
    if ("decision" in tried) return tried;
    plan = tried.plan;
    messages = [...messages, successOf(call, tried.label)];
  }
  return { decision: "pass" };
}

/** The result message of a call that succeeds. */
function successOf({ id }: Call, label: Label): Message {
  const outcome = { status: "success", content: null } as const;
  const result = { id, tool: "", outcome, label };
  return { role: "result", callId: id, native: false, result };
}

const triedFirst = "a command is tried in each run, and what it changed there decides.";

/** Judges one call: gives the rest of the plan and the label of its result, or why it would not be made. */
async function dryRunCall(
  { preparer, policy }: DryRunParts,
  call: Call,
  { caller, plan }: { readonly caller: Caller; readonly plan: FlightPlan },
): Promise<{ readonly plan: FlightPlan; readonly label: Label } | JudgedAhead> {
  const { workspace } = caller;
  const nobody: Caller = { ...caller, person: "nobody", startedBy: "nobody" };
  const prepared = await preparer.prepare(call.action, nobody, []);
  if (!prepared.ok) return { decision: "unknown", reason: prepared.message };
  const { effects, facts, resultLabel: label } = prepared;
  const unanswered = facts.taught?.find((objection) => objection.unanswered === true);
  if (unanswered !== undefined) return { decision: "unknown", reason: unanswered.reason };
  if (!facts.healthy) return { decision: "unknown", reason: "the agent is unhealthy and does not act" };
  const verdict = policy.judge(effects, facts);
  if (verdict.decision === "pass") return { plan, label };
  const { decision, reason } = verdict;
  const refused: JudgedAhead =
    decision === "trial" ? { decision: "unknown", reason: triedFirst } : { decision: "refuse", reason };
  if (decision === "block") return refused;
  const command = commandOf(prepared.action);
  const allowance = policy.allowanceOfPlan(plan, { workspace, command, effects, asks: verdict.asks });
  const licences = [...facts.licences, ...(allowance?.licences ?? [])];
  if (allowance === null || policy.judge(effects, { ...facts, licences }).decision !== "pass") return refused;
  const used = new Set(allowance.use.steps);
  const steps = plan.steps.map((step, at) => (used.has(at) ? { ...step, used: step.used + 1 } : step));
  return { plan: { ...plan, steps }, label };
}
