import type { ActionPreparer } from "../../act/prepare.ts";
import { reflex } from "../../reason/reflex.ts";
import type { Policy } from "../../settings/policy.ts";
import { commandOf } from "../../signal/action-text.ts";
import type { PlannedStep } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Caller } from "../../signal/tool.ts";

/** What judging a job ahead needs. */
export type DryRunParts = {
  readonly preparer: Pick<ActionPreparer, "prepare" | "toolNames">;
  readonly policy: Pick<Policy, "judge" | "allowanceOfPlan">;
  readonly now: number;
};

/** Why a line of the first tier would not be done while nobody is there, by the judge; null where it would be. Nothing runs. */
export async function dryRunLine(
  { preparer, policy, now }: DryRunParts,
  line: string,
  { caller, steps }: { readonly caller: Caller; readonly steps: readonly PlannedStep[] },
): Promise<string | null> {
  const messages = [{ role: "user" as const, text: line, label: bottomLabel }];
  const answer = reflex({ messages, tools: preparer.toolNames(), callId: "dry-run" });
  const [call] = answer.kind === "calls" ? answer.calls : [];
  if (call === undefined) return "it is no line that is understood without a model";
  const { session, workspace } = caller;
  const nobody: Caller = { ...caller, person: "nobody", startedBy: "nobody" };
  const prepared = await preparer.prepare(call.action, nobody, []);
  if (!prepared.ok) return prepared.message;
  const { effects, facts } = prepared;
  const verdict = policy.judge(effects, facts);
  if (verdict.decision !== "ask") return verdict.decision === "pass" ? null : verdict.reason;
  const plan = {
    id: "dry-run",
    session,
    workspace,
    steps: steps.map((step) => ({ ...step, used: 0 })),
    since: now,
    until: now + 1,
    spendingCap: null,
    held: false,
    heldBy: null,
  };
  const command = commandOf(prepared.action);
  const allowance = policy.allowanceOfPlan(plan, { workspace, command, effects, asks: verdict.asks });
  const licences = [...facts.licences, ...(allowance?.licences ?? [])];
  return policy.judge(effects, { ...facts, licences }).decision === "pass" ? null : verdict.reason;
}
