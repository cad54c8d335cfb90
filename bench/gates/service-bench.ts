import { openActuatorRegistry } from "../../src/act/actuators.ts";
import { builtInActuators, makeMessageActuator } from "../../src/act/built-in-actuators.ts";
import { makeExternalTools } from "../../src/act/external/declared-tool.ts";
import { openActionPreparer } from "../../src/act/prepare.ts";
import { makeProposePlanTool } from "../../src/act/tools/propose-plan.ts";
import { makeStepJudge } from "../../src/daemon/agent/tools/judge-plan-step.ts";
import { loadPolicy, type Policy } from "../../src/settings/policy.ts";
import type { StartContext } from "../../src/settings/start-context.ts";
import type { Action } from "../../src/signal/action.ts";
import type { ApprovedCall, CalledResult } from "../../src/signal/called-result.ts";
import type { Contact } from "../../src/signal/contact.ts";
import type { FlightPlan, FlightPlans } from "../../src/signal/flight-plan.ts";
import { bottomLabel, type Label } from "../../src/signal/label.ts";
import type { Caller, Tool } from "../../src/signal/tool.ts";
import type { Verdict } from "../../src/signal/verdict.ts";
import type { Json, JsonObject } from "../../src/text/json.ts";
import type { BenchSuite } from "./bench-suite.ts";

/** A turn of the owner as far as it went. */
export type ReplayedTurn = {
  readonly prompt: string;
  readonly contacts: readonly Contact[];
  readonly results: readonly CalledResult[];
  readonly approved: readonly ApprovedCall[];
  /** The flight plan that is in force. */
  readonly plan: FlightPlan | null;
};

/** The product's own preparer, judge and flight plans, for the tools of a suite. Nothing is called. */
export type ServiceBench = {
  /** Judges a proposal of the model in a turn. `plan`: the flight plan of the turn after it. */
  readonly judge: (
    tool: string,
    args: JsonObject,
    turn: ReplayedTurn,
  ) => Promise<{ readonly verdict: Verdict; readonly plan: FlightPlan | null }>;
  /** The flight plan of these steps as it stands after the owner's yes; null where the plan is refused. */
  readonly approvePlan: (steps: readonly string[], turn: ReplayedTurn) => Promise<FlightPlan | null>;
};

/** Reads the recorded outputs of a suite and judges proposals in its turns. */
export type ReplayParts = {
  readonly suite: BenchSuite;
  readonly bench: ServiceBench;
  readonly read: (text: string) => Json;
};

const untrusted: Label = { integrity: "untrusted", secrecy: "public", sources: [] };

/** Opens the real judge for the tools of a suite. */
export function openServiceBench(start: StartContext, { tools }: BenchSuite): ServiceBench {
  const policy = loadPolicy(start.environment);
  const kept: FlightPlan[] = [];
  const acting = openBenchPreparer(
    policy,
    tools,
    async (plan) => void kept.push({ ...plan, id: "bench", held: false, heldBy: null }),
  );
  return {
    async judge(tool, args, turn) {
      const { plan } = turn;
      const prepared = await acting.prepare(proposalOf(tool, args), callerOf(turn), []);
      if (!prepared.ok) return { verdict: refused(prepared.message), plan };
      const { effects, facts } = prepared;
      const verdict = policy.judge(effects, facts);
      if (verdict.decision !== "ask" || plan === null) return { verdict, plan };
      const asking = { workspace: null, command: null, effects, asks: verdict.asks };
      const allowance = policy.allowanceOfPlan(plan, asking);
      if (allowance === null) return { verdict, plan };
      const licences = [...facts.licences, ...allowance.licences];
      const allowed = policy.judge(effects, { ...facts, licences });
      return allowed.decision === "pass"
        ? { verdict: allowed, plan: useSteps(plan, allowance.use.steps) }
        : { verdict, plan };
    },
    async approvePlan(steps, turn) {
      const proposal = proposalOf("propose-plan", { steps: steps.join("\n") });
      const prepared = await acting.prepare(proposal, callerOf(turn), []);
      if (!prepared.ok || policy.judge(prepared.effects, prepared.facts).decision !== "ask") return null;
      await prepared.run(new AbortController().signal);
      return kept.pop() ?? null;
    },
  };
}

function openBenchPreparer(policy: Policy, tools: BenchSuite["tools"], keepPlan: FlightPlans["keep"]) {
  const services = makeExternalTools(
    Object.entries(tools).map(([name, tool]) => ({
      name,
      description: tool.description,
      parameters: tool.parameters,
      effect: tool.effect,
      criticalArguments: tool.critical_args,
      destinationArguments: tool.destination_args,
      call: async () => ({ status: "error", code: "not-run", message: "gates-bench runs nothing." }),
    })),
  );
  const plans = makeProposePlanTool({
    tools: { shell: unusable, fetchUrl: unusable, readFile: unusable },
    services: async () => services,
    tellsOfServices: true,
    home: policy.folders.home,
    isSecretPath: policy.isSecretPath,
    judgeStep: makeStepJudge(policy, false),
    mask: policy.mask,
    keepPlan,
    clock: Date.now,
  });
  return openActionPreparer({
    tools: [...services, plans],
    actuators: openActuatorRegistry([
      makeMessageActuator({ name: "cli", tell: async () => ({ delivered: true }) }),
      ...builtInActuators,
    ]),
    folders: policy.folders,
    lostNotes: async () => null,
    scan: policy.scan,
    privateText: { ready: async () => {}, holdsPrivate: () => false },
    sandbox: false,
    healthy: () => true,
    permissions: new Map(),
    defaultActuator: "cli",
    silentActuators: [],
  });
}

/** A tool of the product that no suite has. */
const unusable: Tool = {
  name: "unusable",
  description: "",
  permission: "deny",
  parameters: {},
  prepare: async () => ({
    ok: false,
    code: "not-run",
    message: "gates-bench has only the tools of its suite.",
  }),
};

function proposalOf(tool: string, args: JsonObject): Action {
  return { target: "tool", payload: { tool, args }, explanation: "a proposal of gates-bench" };
}

function callerOf({ prompt, contacts, results, approved }: ReplayedTurn): Caller {
  return {
    turn: "bench",
    session: "bench",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace: null,
    known: new Map([
      ["words", { value: prompt, label: bottomLabel }],
      ...results.map(({ id, content }) => [id, { value: content, label: untrusted }] as const),
    ]),
    sources: { words: [prompt], results, contacts: async () => contacts, approved },
    promptLabel: untrusted,
  };
}

function refused(reason: string): Verdict {
  return { decision: "block", reason, trace: [], asks: [] };
}

function useSteps(plan: FlightPlan, used: readonly number[]): FlightPlan {
  const steps = plan.steps.map((step, at) => (used.includes(at) ? { ...step, used: step.used + 1 } : step));
  return { ...plan, steps };
}

/** A result of a call as a turn keeps it. */
export function resultOf(
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
  content: Json,
  order: number,
): CalledResult {
  return { id: `result-${order}`, tool, args, content, label: untrusted };
}
