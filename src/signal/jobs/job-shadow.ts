import type { CallLine } from "../../text/call-line.ts";
import { isSameJson } from "../../text/json.ts";
import { joinLabels, type Label, maxSources } from "../label.ts";
import type { Job } from "./job.ts";

/** What a run did, as far as a rule could do it in its place. */
export type DidTheSame = {
  readonly acts: readonly CallLine[];
  readonly answer: string | null;
  /** Of all that the calls were made from. */
  readonly label: Label;
};

/** What the judge says of calls ahead of their run. `unknown`: not all of them could be judged as they would be then, such as where a skill is not there or a jail does not answer. */
export type JudgedAhead =
  | { readonly decision: "pass" }
  | { readonly decision: "refuse" | "unknown"; readonly reason: string };

/** What is known of a job that goes on doing the same. */
export type Shadow = DidTheSame & {
  /** SHA-256 of the entry that ran. */
  readonly digest: string;
  /** Runs that did this one after the other, before the rule ran beside them. */
  readonly same: number;
  /** Runs in which the rule would have done the same. */
  readonly agreed: number;
  /** The scheduled instant of the last run that counts. */
  readonly last: number;
  /** The rule beside a run. */
  readonly trial: { readonly scheduled: number; readonly ahead: JudgedAhead } | null;
};

/** How many runs have to do the same before the rule runs beside them, and how many beside it. */
export type ShadowSettings = { readonly after: number; readonly trials: number };

/** Whether the next run has the rule beside it. */
export function isInShadow({ same }: Shadow, { after }: ShadowSettings): boolean {
  return same >= after;
}

/** Whether the count began with the last run. */
export function isNew({ same, agreed }: Shadow): boolean {
  return same === 1 && agreed === 0;
}

/** Whether the rule did the same for long enough to be offered. */
export function isProved({ agreed }: Shadow, { trials }: ShadowSettings): boolean {
  return agreed >= trials;
}

/**
 * What is known after a run. `did` is null for a run that failed, asked, or did what no rule can do: the count begins anew, and so it does after another
 * outcome. A run beside which the rule could not be judged counts neither for nor against it. A run that was counted changes nothing, so that it may be told
 * twice.
 */
export function afterRun(
  shadow: Shadow | null,
  {
    scheduled,
    digest,
    did,
  }: { readonly scheduled: number; readonly digest: string; readonly did: DidTheSame | null },
  settings: ShadowSettings,
): Shadow | null {
  if (did === null) return null;
  if (shadow !== null && shadow.digest === digest && shadow.last === scheduled) return shadow;
  const first: Shadow = { ...did, digest, same: 1, agreed: 0, last: scheduled, trial: null };
  if (shadow === null || shadow.digest !== digest || !isSameAs(shadow, did)) return first;
  const now: Shadow = { ...shadow, label: joinRuns(did.label, shadow.label), last: scheduled };
  if (!isInShadow(shadow, settings)) return { ...now, same: shadow.same + 1 };
  const { trial } = shadow;
  if (trial === null || trial.scheduled !== scheduled || trial.ahead.decision === "unknown") return now;
  return trial.ahead.decision === "pass" ? { ...now, agreed: shadow.agreed + 1, trial: null } : first;
}

/** The sources of the latest run stand first, so that they are never the ones that are left out. */
function joinRuns(latest: Label, before: Label): Label {
  const joined = joinLabels(latest, before);
  return { ...joined, sources: joined.sources.slice(0, maxSources) };
}

/** Why a run counts neither for nor against the rule beside it; null where it counts. */
export function whyNotCounted(shadow: Shadow | null, scheduled: number): string | null {
  const trial = shadow?.trial ?? null;
  if (trial === null || trial.scheduled !== scheduled || trial.ahead.decision !== "unknown") return null;
  return `It counts neither for nor against making this job a reflex: ${trial.ahead.reason}`;
}

function isSameAs(shadow: DidTheSame, { acts, answer }: DidTheSame): boolean {
  return shadow.answer === answer && isSameJson(json(shadow.acts), json(acts));
}

function json(acts: readonly CallLine[]) {
  return acts.map(({ tool, args }) => ({ tool, args }));
}

/** An offer to make a job a reflex: its entry and the job as it was approved, before and after. */
export type ReflexOffer = {
  /** The proposal of the review inbox, and what it is known by. */
  readonly proposal: string;
  readonly key: string;
  readonly before: { readonly entry: string; readonly job: Job };
  readonly after: { readonly entry: string; readonly job: Job };
};

/** What is kept of a job. */
export type KeptShadow = { readonly shadow: Shadow | null; readonly offer: ReflexOffer | null };
