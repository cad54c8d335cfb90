import { builtInActuators } from "../../act/actuators.ts";
import { makeExternalTools } from "../../act/external/declared-tool.ts";
import { openActionPreparer } from "../../act/prepare.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Json, JsonObject } from "../../signal/json.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { ApprovedCall, CalledResult, Contact } from "../../signal/tool.ts";
import type { Verdict } from "../../signal/verdict.ts";
import type { BenchSuite } from "./bench-suite.ts";

/** A turn of the owner as far as it went. */
export type ReplayedTurn = {
  readonly prompt: string;
  readonly contacts: readonly Contact[];
  readonly results: readonly CalledResult[];
  readonly approved: readonly ApprovedCall[];
};

/** Judges a proposal of the model in a turn, with the product's own preparer and judge. */
export type JudgeProposal = (tool: string, args: JsonObject, turn: ReplayedTurn) => Promise<Verdict>;

const untrusted: Label = { integrity: "untrusted", secrecy: "public", sources: [] };

/** Opens the real judge for the tools of a suite. Nothing is called. */
export function openServiceJudge(start: StartContext, { tools }: BenchSuite): JudgeProposal {
  const policy = loadPolicy(start.environment);
  const acting = openActionPreparer({
    tools: makeExternalTools(
      Object.entries(tools).map(([name, tool]) => ({
        name,
        description: tool.description,
        parameters: tool.parameters,
        effect: tool.effect,
        criticalArguments: tool.critical_args,
        destinationArguments: tool.destination_args,
        call: async () => ({ status: "error", code: "not-run", message: "gates-bench runs nothing." }),
      })),
    ),
    actuators: [
      { name: "cli", kind: "message", tell: async () => ({ delivered: true }) },
      ...builtInActuators,
    ],
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
  return async (tool, args, { prompt, contacts, results, approved }) => {
    const prepared = await acting.prepare(
      { target: "tool", payload: { tool, args }, explanation: "a proposal of gates-bench" },
      {
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
        sources: { words: [prompt], results, contacts, approved },
        promptLabel: untrusted,
      },
      [],
    );
    if (!prepared.ok) return { decision: "block", reason: prepared.message, trace: [], asks: [] };
    return policy.judge(prepared.effects, prepared.facts);
  };
}

/** A result of a call as a turn keeps it. */
export function resultOf(
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
  content: Json,
  order: number,
): CalledResult {
  return { id: `result-${order}`, tool, args, content, label: untrusted };
}
