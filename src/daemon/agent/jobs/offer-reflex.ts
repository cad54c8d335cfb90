import { sha256 } from "../../../machine/digest.ts";
import { type ExplainedSource, explainOrigin } from "../../../memory/provenance/explain-origin.ts";
import { readWrittenJobs } from "../../../notes/own-jobs.ts";
import { entryAsReflex, replaceEntry } from "../../../notes/reflex-entry.ts";
import type { Job, JobWork, KeptJob } from "../../../signal/jobs/job.ts";
import type { ReflexOffer, Shadow, ShadowSettings } from "../../../signal/jobs/job-shadow.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { type CallLine, printCallLines } from "../../../text/call-line.ts";
import { countOf } from "../../../text/count-of.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { idOfKey } from "../review/keep-proposals.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import type { JudgeAhead } from "./job-ports.ts";
import { jobsFile, readJobs } from "./jobs-file.ts";

/** Who offers reflexes, as the review inbox names it. */
const offeredBy = "jobs";
/** The sources that an offer names, and how many. */
const named: ReadonlySet<ExplainedSource["kind"]> = new Set([
  "address",
  "file",
  "skill",
  "note",
  "memory",
  "other",
]);
const mostNamed = 8;

/** What watching jobs for what they repeat needs. */
export type JobShadowParts = Pick<LoopResources, "state" | "policy" | "report"> & {
  readonly review: Pick<ReviewInbox, "propose" | "withdraw" | "allOf">;
  /** Keeps a job as the owner approved it. */
  readonly keep: (job: Job) => Promise<void>;
  /** What the judge says of lines of the first tier that run while nobody is there. Nothing runs. */
  readonly judgeAhead: JudgeAhead;
};

/** The work of a job that a turn does. */
export type Words = Extract<JobWork, { readonly kind: "words" }>;

type Proved = {
  readonly job: KeptJob;
  readonly shadow: Shadow;
  readonly offer: ReflexOffer | null;
};

/** Puts the offer into the review inbox, where the entry is the one that was approved. */
export async function offerReflex(
  parts: JobShadowParts,
  { job, shadow, offer: known }: Proved,
): Promise<void> {
  const { state, policy, review } = parts;
  const path = jobsFile(parts);
  const text = await readJobs(path);
  const read = readWrittenJobs(text).find((one) => one.ok && one.job.name === job.name);
  if (job.work.kind !== "words" || read === undefined || !read.ok) return;
  const { entry } = read.job;
  const label = joinLabels(shadow.label, job.work.label ?? bottomLabel);
  const sources = await namedSources(state, label);
  const lines = printCallLines(shadow.acts);
  const origin = [label.integrity, ...sources.filter((id) => !/\s/.test(id))].join(" ");
  const made = sha256(entry) === job.work.digest ? entryAsReflex(entry, lines, origin) : null;
  const after = made === null ? null : replaceEntry(text, entry, made);
  if (made === null || after === null || readWrittenJobs(after).some((one) => !one.ok)) return;
  const key = JSON.stringify([job.name, shadow.digest, lines]);
  const { paused: _, last: _last, next: _next, zone: _zone, ...approved } = job;
  const reflex: Job = {
    ...approved,
    work: { ...job.work, tier: "reflex", text: lines, label, digest: sha256(made) },
  };
  // Wherever a line of it is copied to, it stays what it was made from.
  await state.origins.keep(lines.split("\n").map(sha256), label);
  const [outcome] = await review.propose(offeredBy, [
    {
      key,
      title: `The job ${job.name} as a reflex, without a model`,
      why: [
        describeProof(job.name, shadow.acts, policy.config.reflex),
        ...describeSources(label, sources),
      ].join("\n"),
      source: "jobs.org",
      label,
      change: {
        kind: "files",
        files: [{ path, before: Buffer.from(text), after: Buffer.from(after) }],
        job: job.name,
      },
    },
  ]);
  if (outcome !== "proposed" && outcome !== "known" && outcome !== "rejected") return;
  const offer: ReflexOffer = {
    proposal: idOfKey(offeredBy, key),
    key,
    before: { entry, job: approved },
    after: { entry: made, job: reflex },
  };
  if (known?.proposal !== offer.proposal) await state.jobShadows.set(job.name, { shadow, offer });
}

function describeProof(name: string, acts: readonly CallLine[], { after, trials }: ShadowSettings): string {
  return [
    `${name} made the same ${countOf(acts.length, "call")} in ${after + trials} runs one after the other, and beside the last ${trials} of them these lines would have done the same. As a reflex it makes them without a model, each judged as before, and stops where one fails.`,
    "It does them whatever it finds: where what it reads should decide what it does, reject this.",
  ].join("\n");
}

/** Where words came from that are kept outside of conversations: pages, files, skills, services. */
async function namedSources(state: JobShadowParts["state"], label: Label): Promise<readonly string[]> {
  const titleOf = async () => null;
  const { sources } = await explainOrigin({ state, titleOf }, label, null);
  return sources
    .flatMap(({ kind, id }) => (named.has(kind) && !id.startsWith("job/") ? [id] : []))
    .slice(0, mostNamed);
}

/** What the owner is told of words that are not theirs. */
function describeSources({ integrity }: Label, sources: readonly string[]): readonly string[] {
  if (integrity !== "untrusted") return [];
  const from = sources.length === 0 ? "" : `: ${sources.join(", ")}`;
  return [
    `The calls were made after words of others were read${from}. Accepted, they stay words of others: what they write is marked so, and what they send is judged so.`,
  ];
}

/** The owner's word is the truth: an offer that stands accepted is in force, and any other is not. The entry follows where nobody changed it since. */
export async function settleReflex(parts: JobShadowParts, name: string): Promise<void> {
  const { state, review } = parts;
  const kept = await state.jobShadows.get(name);
  const job = await state.jobs.get(name);
  if (kept === null || kept.offer === null) return;
  const { offer } = kept;
  const digest = job?.work.kind === "words" ? job.work.digest : null;
  const [before, after] = [digestOf(offer.before.job), digestOf(offer.after.job)];
  if (digest !== before && digest !== after) {
    await state.jobShadows.set(name, null);
    return;
  }
  const proposal = (await review.allOf(offeredBy)).find(({ id }) => id === offer.proposal);
  const isAccepted = proposal?.state === "accepted";
  if (isAccepted === (digest === after)) return;
  const [from, to] = isAccepted ? [offer.before, offer.after] : [offer.after, offer.before];
  const path = jobsFile(parts);
  const now = await readJobs(path);
  const text = replaceEntry(now, from.entry, to.entry);
  // Where a kill came in between, it stands there already.
  if (text === null && isAccepted && !now.includes(to.entry))
    throw new Error("its entry in jobs.org is not the one that was offered. It runs as it did");
  if (text !== null) parts.policy.writeJobs(text);
  await parts.keep(to.job);
}

/** Takes the offers of a job back that wait. */
export async function withdrawReflex({ state, review }: JobShadowParts, name: string): Promise<void> {
  const others = (await state.jobShadows.offered()).filter((other) => other !== name);
  const kept = await Promise.all(others.map((other) => state.jobShadows.get(other)));
  await review.withdraw(
    offeredBy,
    kept.flatMap((one) => one?.offer?.key ?? []),
  );
}

function digestOf({ work }: Job): string | null {
  return work.kind === "words" ? work.digest : null;
}
