import type { Clock } from "../../signal/clock.ts";
import type { Effect, PlannedStep } from "../../signal/effect.ts";
import type { FlightPlans } from "../../signal/flight-plan.ts";
import { canonicalJson } from "../../signal/json.ts";
import { bottomLabel, joinLabels } from "../../signal/label.ts";
import { type Caller, type Preparation, success, type Tool } from "../../signal/tool.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import type { ToolCall } from "./define-tool.ts";

/** The ports of propose-plan: the tools whose steps it prepares, and where an approved plan is kept. */
export type ProposePlanPorts = {
  readonly tools: { readonly shell: Tool; readonly fetchUrl: Tool; readonly readFile: Tool };
  readonly home: string;
  /** Whether a step asks, and why a plan cannot allow it; the problem is null if it can. */
  readonly judgeStep: (
    effects: readonly Effect[],
    caller: Caller,
  ) => { readonly asks: boolean; readonly problem: string | null };
  readonly keepPlan: FlightPlans["keep"];
  readonly clock: Clock;
};

/** The parsed arguments of the tool propose-plan. */
export type ProposePlanArguments = {
  /** One step a line. */
  readonly steps: string;
  readonly minutes?: number | undefined;
};

type Request = ToolCall<ProposePlanPorts>;
/** `what`: a command line, a path or a URL, exactly as the step will use it. */
type Step = { readonly does: string; readonly what: string; readonly times: number };

/** Minutes that a plan counts where the proposal does not say. */
const usualMinutes = 120;
const mostMinutes = 24 * 60;
const mostTimes = 100;
const mostSteps = 30;

/** Prepares each step as its own tool would, so that the question shows exactly what a yes allows. Running it keeps the plan. */
export async function prepareProposePlan(
  { steps: lines, minutes = usualMinutes }: ProposePlanArguments,
  request: Request,
): Promise<Preparation> {
  if (minutes > mostMinutes)
    return problem("invalid-arguments", `A plan counts for at most ${mostMinutes} minutes. Name fewer.`);
  const wanted = lines.split("\n").filter((line) => line.trim() !== "");
  if (wanted.length > mostSteps)
    return problem("invalid-arguments", `A plan has at most ${mostSteps} steps. Plan the first ones.`);
  const steps: PlannedStep[] = [];
  let asks = false;
  for (const [index, words] of wanted.entries()) {
    const planned = await planStep(words, request);
    if (!planned.ok) return problem(planned.code, `Step ${index + 1} cannot be planned: ${planned.message}`);
    steps.push(planned.value.step);
    asks ||= planned.value.asks;
  }
  if (!asks) return problem("not-plannable", "No step of this plan would ask. Do them without a plan.");
  const { ports, caller, labelOf } = request;
  const { session, workspace } = caller;
  const plan = { steps, minutes };
  return {
    ok: true,
    effects: [
      {
        kind: "change-memory",
        target: "flight plan",
        realm: "own",
        operation: "keep a flight plan",
        plan,
        label: joinLabels(bottomLabel, ...wanted.map(labelOf)),
        reversal: "undoable",
      },
    ],
    plan: canonicalJson(plan),
    changes: [],
    resultLabel: bottomLabel,
    async run() {
      const until = ports.clock() + minutes * 60_000;
      const unused = steps.map((step) => ({ ...step, used: 0 }));
      await ports.keepPlan({ session, workspace, steps: unused, until });
      const note = "Do the steps now, each exactly as planned. Whatever differs asks the owner.";
      return success({ approved: true, note });
    },
  };
}

async function planStep(
  words: string,
  request: Request,
): Promise<Fallible<{ readonly step: PlannedStep; readonly asks: boolean }>> {
  const step = readStep(words);
  if (step === null)
    return problem(
      "invalid-arguments",
      `write it as run CMD, write PATH, read PATH or fetch URL, with a number up to ${mostTimes} and x before it where it is done several times.`,
    );
  const { does, what, times } = step;
  const found = does === "write" ? await writing(what, request) : await proposed(step, request);
  if (!found.ok) return found;
  // What a step carries is labelled and judged when it is done.
  const effects = found.value.map((effect) => ({ ...effect, label: bottomLabel }));
  const { asks, problem: objection } = request.ports.judgeStep(effects, request.caller);
  if (objection !== null) return problem("not-plannable", `${objection}.`);
  const command = does === "run" ? what : null;
  return done({ step: { words: `${does} ${what}`, command, effects, times }, asks });
}

function readStep(words: string): Step | null {
  const [, times = "1", does, what] =
    /^(?:(\d{1,3})x )?(run|write|read|fetch) (\S[\s\S]*)$/.exec(words.trim()) ?? [];
  const count = Number(times);
  if (does === undefined || what === undefined || count < 1 || count > mostTimes) return null;
  return { does, what, times: count };
}

async function writing(typed: string, { ports, caller }: Request): Promise<Fallible<readonly Effect[]>> {
  const path = await resolveTypedPath(typed, { workspace: caller.workspace, home: ports.home });
  if (!path.ok) return path;
  const { value: target } = path;
  return done([{ kind: "write-path", target, change: "replace", label: bottomLabel, reversal: "undoable" }]);
}

async function proposed(
  { does, what }: Step,
  { ports: { tools }, caller, labelOf }: Request,
): Promise<Fallible<readonly Effect[]>> {
  const preparation =
    does === "run"
      ? await tools.shell.prepare({ cmd: what }, caller, labelOf)
      : does === "fetch"
        ? await tools.fetchUrl.prepare({ url: what }, caller, labelOf)
        : await tools.readFile.prepare({ path: what }, caller, labelOf);
  return preparation.ok ? done(preparation.effects) : preparation;
}
