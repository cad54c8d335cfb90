import type { Policy } from "../../../settings/policy.ts";
import type { Licence } from "../../../signal/facts.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { Source } from "../../../signal/signal.ts";
import type { AppendToJournal } from "../../../turn/step-ports.ts";
import type { AssembledTools } from "./assemble-tools.ts";

/** What judging a read of the owner's needs. */
export type JudgeReadingParts = {
  readonly policy: Pick<Policy, "judge">;
  readonly prepare: AssembledTools["acting"]["prepare"];
  readonly journal: AppendToJournal;
};

/** A file that the owner names. */
export type ReadRequest = {
  readonly session: string;
  readonly workspace: string | null;
  readonly source: Source;
  readonly path: string;
};

/** Why a file is not read, as the end of a sentence to the owner. */
export type Refusal = { readonly ok: false; readonly message: string };

/** A refusal with this reason. */
export function refusal(message: string): Refusal {
  return { ok: false, message };
}

/** To read the very file that the owner hands over is what they ask for. */
const handedOver: Licence = {
  kind: "intent",
  name: "your words, which name the file",
  discharges: ["read-outside"],
  effectIndexes: [0],
};

const purposes = { attach: "the owner attaches it", "org-ast": "the owner asks for its tree" } as const;

/**
 * Judges the owner's own read of the file at a real path like every other read. Gives the label of its
 * contents, or why it may not be read.
 */
export async function judgeReading(
  { prepare, policy, journal }: JudgeReadingParts,
  { path, ...from }: ReadRequest,
  purpose: keyof typeof purposes,
): Promise<{ readonly ok: true; readonly label: Label } | Refusal> {
  const action = {
    target: "tool",
    payload: { tool: "read-file", args: { path } },
    explanation: purposes[purpose],
  };
  const caller = {
    turn: "",
    ...from,
    person: "owner",
    startedBy: "person",
    known: new Map(),
    promptLabel: bottomLabel,
  } as const;
  const prepared = await prepare(action, caller, [handedOver]);
  if (!prepared.ok) return prepared;
  const verdict = policy.judge(prepared.effects, prepared.facts);
  await journal({
    kind: "verdict",
    session: from.session,
    digest: prepared.digest,
    effects: prepared.effects,
    facts: prepared.facts,
    verdict: verdict.decision,
    trace: verdict.trace,
    detail: { event: purpose },
  });
  return verdict.decision === "pass"
    ? { ok: true, label: prepared.resultLabel }
    : refusal(`${verdict.reason}.`);
}
