import * as z from "zod";
import { readWrittenPlan } from "../../shown/plan-as-org.ts";
import type { Effect, PlannedStep, ProposedPlan, WritePath } from "../../signal/effect.ts";
import type { Flow, Licence } from "../../signal/facts.ts";
import type { FlightPlans } from "../../signal/flight-plan.ts";
import { bottomLabel, joinAll } from "../../signal/label.ts";
import { type Caller, type Preparation, success, type Tool } from "../../signal/tool.ts";
import type { Clock } from "../../text/clock.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { OtherNames } from "../files/later-names.ts";
import { laterByNames, underTypedNames } from "../files/typed-names.ts";
import { resolveTypedPath, writtenPath } from "../files/typed-path.ts";
import type { ToolCall } from "./define-tool.ts";

/** The ports of propose-plan: the tools whose steps it prepares, and where an approved plan is kept. */
export type ProposePlanPorts = {
  readonly tools: { readonly shell: Tool; readonly fetchUrl: Tool; readonly readFile: Tool };
  /** The tools of external services that a call in a workspace may name. */
  readonly services: (workspace: string | null) => Promise<readonly Tool[]>;
  /** Whether the model is told that a step may be a call of one. */
  readonly tellsOfServices: boolean;
  readonly home: string;
  readonly isSecretPath: (path: string) => boolean;
  /** Whether a step asks, and why a plan cannot allow it; the problem is null if it can. */
  readonly judgeStep: (
    step: StepFacts & Pick<PlannedStep, "command">,
    caller: Caller,
  ) => { readonly asks: boolean; readonly problem: string | null };
  readonly mask: (text: string) => string;
  readonly keepPlan: FlightPlans["keep"];
  readonly clock: Clock;
};

/** What a step would do, with where the values that decide over it come from. */
export type StepFacts = Pick<PlannedStep, "keeps"> & {
  readonly effects: readonly Effect[];
  readonly flows?: readonly Flow[];
  readonly licences?: readonly Licence[];
};

/** The parsed arguments of the tool propose-plan. */
export type ProposePlanArguments = {
  /** One step a line, or the text of an Org node with a list of steps. */
  readonly steps: string;
  readonly minutes?: number | undefined;
  /** The most that the session may spend on models while the plan is in force. */
  readonly dollars?: number | undefined;
};

type Request = ToolCall<ProposePlanPorts>;
/** `what`: a command line, a path, a URL, or a tool with its arguments, exactly as the step will use it. */
type Step = { readonly does: string; readonly what: string; readonly times: number };

/** Minutes that a plan counts where the proposal does not say. */
const usualMinutes = 120;
const mostMinutes = 24 * 60;
const mostTimes = 100;
const mostSteps = 30;

/** Prepares each step as its own tool would, so that the question shows exactly what a yes allows. Running it keeps the plan. */
export async function prepareProposePlan(args: ProposePlanArguments, request: Request): Promise<Preparation> {
  const written = readWrittenPlan(args.steps);
  const { steps: wanted } = written;
  const { minutes = written.minutes ?? usualMinutes, dollars = written.dollars } = args;
  if (minutes > mostMinutes)
    return problem("invalid-arguments", `A plan counts for at most ${mostMinutes} minutes. Name fewer.`);
  if (wanted.length > mostSteps)
    return problem("invalid-arguments", `A plan has at most ${mostSteps} steps. Plan the first ones.`);
  if (dollars !== undefined && !(dollars > 0))
    return problem("invalid-arguments", "The cap of a plan, in dollars, is more than 0.");
  const steps: PlannedStep[] = [];
  let asks = false;
  for (const [index, words] of wanted.entries()) {
    const planned = await planStep(words, request);
    if (!planned.ok)
      return problem(
        planned.code,
        `Step ${index + 1} cannot be planned: ${planned.message.replace(/\.$/, "")}. Leave it out of the plan.`,
      );
    steps.push(planned.value.step);
    asks ||= planned.value.asks;
  }
  if (!asks) return problem("not-plannable", "No step of this plan would ask. Do them without a plan.");
  return preparePlan({ steps, minutes, ...(dollars === undefined ? {} : { dollars }) }, wanted, request);
}

/**
 * Prepares what a job of the owner may do in each run, a step for each line that they wrote. Nothing is
 * refused because it would not ask now. Only the program proposes it, and its run does nothing: the job
 * keeps the steps.
 */
export async function prepareJobSteps(lines: readonly string[], request: Request): Promise<Preparation> {
  if (!lines.every((line) => request.labelOf(line).integrity === "user"))
    return problem(
      "not-allowed",
      "Only the owner says what a job may do. Ask them to write it into its entry.",
    );
  const steps: PlannedStep[] = [];
  for (const words of lines) {
    const planned = await planStep(words, request, true);
    if (!planned.ok)
      return problem(planned.code, `It cannot be allowed beforehand to '${words}': ${planned.message}`);
    steps.push(planned.value.step);
  }
  return {
    ...preparePlan({ steps, minutes: mostMinutes }, lines, request),
    run: async () => success({ approved: false }),
  };
}

/** The change of memory that keeps a plan. */
function preparePlan(
  plan: ProposedPlan,
  wanted: readonly string[],
  { ports, caller, labelOf }: Request,
): Preparation & { readonly ok: true } {
  const { session, workspace } = caller;
  const { steps, minutes, dollars } = plan;
  return {
    ok: true,
    effects: [
      {
        kind: "change-memory",
        target: "flight plan",
        realm: "own",
        operation: "keep a flight plan",
        plan,
        label: joinAll(wanted.map(labelOf)),
        reversal: "undoable",
      },
    ],
    plan: canonicalJson(plan),
    changes: [],
    resultLabel: bottomLabel,
    async run() {
      const since = ports.clock();
      const until = since + minutes * 60_000;
      const spendingCap = dollars === undefined ? null : Math.round(dollars * 1_000_000);
      const unused = steps.map((step) => ({ ...step, used: 0 }));
      await ports.keepPlan({ session, workspace, steps: unused, since, until, spendingCap });
      const note = "Do the steps now, each exactly as planned. Whatever differs asks the owner.";
      return success({ approved: true, note });
    },
  };
}

async function planStep(
  words: string,
  request: Request,
  isOwners = false,
): Promise<Fallible<{ readonly step: PlannedStep; readonly asks: boolean }>> {
  const step = readStep(words);
  if (step === null)
    return problem(
      "invalid-arguments",
      `write it as run CMD, write PATH, read PATH, fetch URL or call TOOL {ARGUMENTS}, with a number up to ${mostTimes} and x before it where it is done several times.`,
    );
  const { does, what, times } = step;
  const found = await preparedStep(step, request);
  if (!found.ok) return found;
  // What a step carries is labelled and judged when it is done.
  const effects = found.value.effects.map((effect) => ({ ...effect, label: bottomLabel }));
  const command = does === "run" ? what : null;
  const keeps = isOwners && command !== null ? ({ keeps: true } as const) : {};
  const { asks, problem: objection } = request.ports.judgeStep(
    { ...found.value, command, effects, ...keeps },
    request.caller,
  );
  if (objection !== null) return problem("not-plannable", `${objection}.`);
  const { sources = [] } = found.value;
  const shown = sources.length === 0 ? {} : { sources: sources.map(request.ports.mask) };
  return done({ step: { words: `${does} ${what}`, command, effects, times, ...keeps, ...shown }, asks });
}

function readStep(words: string): Step | null {
  const [, times = "1", does, what] =
    /^(?:(\d{1,3})x )?(run|write|read|fetch|call) (\S[\s\S]*)$/.exec(words.trim()) ?? [];
  const count = Number(times);
  if (does === undefined || what === undefined || count < 1 || count > mostTimes) return null;
  return { does, what, times: count };
}

type PreparedStep = StepFacts & { readonly sources?: readonly string[] };

async function preparedStep({ does, what }: Step, request: Request): Promise<Fallible<PreparedStep>> {
  const { ports, caller, labelOf } = request;
  switch (does) {
    case "write":
      return writing(what, request);
    case "call":
      return calling(what, request);
    case "run":
      return preparedBy(ports.tools.shell.prepare({ cmd: what }, caller, labelOf));
    case "fetch":
      return preparedBy(ports.tools.fetchUrl.prepare({ url: what }, caller, labelOf));
    default:
      return preparedBy(ports.tools.readFile.prepare({ path: what }, caller, labelOf));
  }
}

async function preparedBy(preparing: Promise<Preparation>): Promise<Fallible<StepFacts>> {
  const preparation = await preparing;
  return preparation.ok ? done({ effects: preparation.effects }) : preparation;
}

async function writing(typed: string, { ports, caller }: Request): Promise<Fallible<StepFacts>> {
  const bearings = { workspace: caller.workspace, home: ports.home };
  const path = await resolveTypedPath(typed, bearings);
  if (!path.ok) return path;
  const { value: target } = path;
  const written = writtenPath(typed, bearings);
  const why = await laterByNames(target, { written, others: new OtherNames(), byInode: true });
  const later = why === null ? {} : { executedLater: why };
  const common = { label: bottomLabel, reversal: "undoable" } as const;
  const effect: WritePath = { kind: "write-path", target, change: "replace", ...common, ...later };
  return done({ effects: await underTypedNames(effect, written, ports.isSecretPath) });
}

/** A call of an external tool, with the words of others that its deciding values stand in. */
async function calling(words: string, { ports, caller, labelOf }: Request): Promise<Fallible<PreparedStep>> {
  const [, name = "", given = ""] = /^(\S+) (\{[\s\S]*\})$/.exec(words) ?? [];
  const tool = (await ports.services(caller.workspace)).find((one) => one.name === name);
  const args = readObject(given);
  if (tool === undefined || args === null)
    return problem("invalid-arguments", "name an external tool, and its arguments as one JSON object.");
  const preparation = await tool.prepare(args, caller, labelOf);
  if (!preparation.ok) return preparation;
  const { effects, flows = [], licences = [] } = preparation;
  const { quoteFlow } = await import("../flow/quote-source.ts");
  const results = caller.sources?.results ?? [];
  return done({ effects, flows, licences, sources: flows.flatMap((flow) => quoteFlow(flow, args, results)) });
}

function readObject(text: string): JsonObject | null {
  try {
    const value: Json = z.json().parse(JSON.parse(text));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
