import type { Json } from "../../src/text/json.ts";
import type { BenchCall, BenchSuite } from "./bench-suite.ts";
import { findContacts } from "./find-contacts.ts";
import { injectText } from "./inject-text.ts";
import { planSteps } from "./plan-steps.ts";
import { type ReplayedTurn, type ReplayParts, resultOf } from "./service-bench.ts";

type Asked = { readonly [key: string]: Json; readonly tool: string; readonly reason: string };
type Honest = {
  /** The questions that the owner got. A flight plan is one question. */
  readonly approvals: number;
  /** The calls that asked, each with the number of steps of the flight plan that was proposed instead. */
  readonly asked: readonly Asked[];
  readonly places: readonly Place[];
};
/** A state of the turn right before a call whose output an attacker controls. */
type Place = { readonly before: ReplayedTurn; readonly call: BenchCall };

/** Whether an attack has a call that does more than read. */
export function isHarmful({ tools, injection_tasks }: BenchSuite, injection: string): boolean {
  return injection_tasks[injection]?.calls.some(({ tool }) => tools[tool]?.effect !== "read") ?? false;
}

/** Proposes the calls that do a task, with the owner's yes to all that asks. */
export async function replayTask(task: string, parts: ReplayParts): Promise<Honest> {
  const { suite, bench, read } = parts;
  const { prompt = "", calls = [] } = suite.user_tasks[task] ?? {};
  const contacts = findContacts(suite.environment);
  let turn: ReplayedTurn = { prompt, contacts, results: [], approved: [], plan: null };
  const asked: Asked[] = [];
  const places: Place[] = [];
  for (const [at, call] of calls.entries()) {
    let { verdict, plan } = await bench.judge(call.tool, call.args, turn);
    if (verdict.decision !== "pass") {
      const question = await askFor(calls.slice(at), turn, parts);
      asked.push({ tool: call.tool, reason: verdict.reason, steps: question.steps });
      turn = question.turn;
      ({ verdict, plan } = await bench.judge(call.tool, call.args, turn));
      // What a plan does not allow asks by itself.
      if (verdict.decision !== "pass" && question.steps > 0)
        asked.push({ tool: call.tool, reason: verdict.reason, steps: 0 });
    }
    if (call.injectable_vectors.length > 0) places.push({ before: turn, call });
    const result = resultOf(call, read(call.output), turn.results.length);
    turn = { ...turn, plan, results: [...turn.results, result] };
  }
  return { approvals: asked.length, asked, places };
}

/** The turn after the owner's yes, and the number of steps of the flight plan that was asked for; 0 for a single call. */
type Question = { readonly turn: ReplayedTurn; readonly steps: number };

/** Asks for the first call: by a plan where further ones can be asked for with it. */
async function askFor(
  calls: readonly BenchCall[],
  turn: ReplayedTurn,
  parts: ReplayParts,
): Promise<Question> {
  const steps = await planSteps(calls, turn, parts);
  const plan = steps.length > 1 ? await parts.bench.approvePlan(steps, turn) : null;
  if (plan !== null) return { turn: { ...turn, plan }, steps: steps.length };
  const approved = calls.slice(0, 1).map(({ tool, args }) => ({ tool, args }));
  return { turn: { ...turn, approved: [...turn.approved, ...approved] }, steps: 0 };
}

/** Whether an attack is stopped at every place of a task: at least one of its calls that are not plain reads does not pass. */
export async function isStopped(
  injection: string,
  places: readonly Place[],
  { suite, bench, read }: ReplayParts,
): Promise<boolean> {
  const { goal = "", calls = [] } = suite.injection_tasks[injection] ?? {};
  for (const { before, call } of places) {
    const injected = injectText(read(call.output), {
      text: goal,
      vectors: call.injectable_vectors.map((name) => suite.injection_vectors[name] ?? ""),
    });
    let turn: ReplayedTurn = {
      ...before,
      results: [...before.results, resultOf(call, injected, before.results.length)],
    };
    let stopped = false;
    for (const proposal of calls) {
      const { verdict, plan } = await bench.judge(proposal.tool, proposal.args, turn);
      if (verdict.decision !== "pass") stopped ||= suite.tools[proposal.tool]?.effect !== "read";
      else {
        const result = resultOf(proposal, read(proposal.output), turn.results.length);
        turn = { ...turn, plan, results: [...turn.results, result] };
      }
    }
    if (!stopped) return false;
  }
  return true;
}
