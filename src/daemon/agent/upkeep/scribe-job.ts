import { statusIfThere } from "../../../act/files/status-if-there.ts";
import type { Contradiction } from "../../../memory/scribe/find-contradictions.ts";
import type { Claim } from "../../../memory/scribe/triage.ts";
import type { NumberedEntry } from "../../../memory/state/session-memory.ts";
import type { TranscriptEntry } from "../../../memory/state/transcript.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { countOf } from "../../../text/count-of.ts";
import { isJsonObject } from "../../../text/json.ts";
import { pushAll } from "../../../text/lists.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";
import { localDay } from "../resources/local-day.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import {
  countProposed,
  describeProposed,
  type NewProposal,
  type ProposeOutcome,
} from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";

/** The parts that the scribe needs. `loopOf` gives the loop, whose turns ask the small model. */
export type ScribeParts = Pick<LoopResources, "state" | "notes" | "policy" | "clock" | "privateText"> & {
  readonly review: Pick<ReviewInbox, "propose" | "allOf">;
  readonly loopOf: () => Loop;
};

/** The number of the last line that the scribe read, and of the first line of the day on which it read it. */
type Place = { readonly until: number; readonly from: number };

/** The name of the job, under which it proposes. */
const by = "scribe";
/** The most lines that the first run reads. */
const firstLook = 500;
const mostEntries = 5000;

/**
 * The scribe proposes notes of the day once a day. If nothing was said since the last run, it asks no model
 * and writes nothing; it makes no notes folder by itself.
 */
export function makeScribe(parts: ScribeParts): UpkeepJob {
  const checked = { day: "" };
  const { scribe, places } = parts.policy.config;
  const { hour } = scribe;
  return {
    name: by,
    does: `once a day, from ${hour}:00 on, proposes notes of what was said and done since the last time`,
    mayAskModel: true,
    work: async (asked) => {
      const now = parts.clock();
      const day = localDay(now);
      if (!asked && (checked.day === day || new Date(now).getHours() < hour)) return null;
      if (!asked && (await statusIfThere(places.notes)) === null) return null;
      checked.day = day;
      const place = await placeOf(parts, day);
      const entries = await entriesAfter(parts, place.from);
      if (!entries.some(({ number }) => number > place.until)) return null;
      const done = await write(parts, day, entries);
      await parts.state.scribe.set({ until: entries.at(-1)?.number ?? place.until, day, from: place.from });
      return done;
    },
  };
}

/** On the same day, earlier lines are proposed again together with the new ones. The first run reads the latest lines. */
async function placeOf({ state }: ScribeParts, day: string): Promise<Place> {
  const { last } = await state.sessionMemory.extent();
  const kept = await state.scribe.get();
  const [until, from] = isJsonObject(kept) ? [kept["until"], kept["from"]] : [];
  const before = Math.min(typeof until === "number" ? until : last - firstLook, last);
  const isSameDay = isJsonObject(kept) && kept["day"] === day && typeof from === "number";
  return { until: before, from: isSameDay ? from : before };
}

async function write(
  parts: ScribeParts,
  today: string,
  entries: readonly TranscriptEntry[],
): Promise<string | null> {
  const { triage } = await import("../../../memory/scribe/triage.ts");
  const { state, notes, policy } = parts;
  const found = triage({ entries, turns: await outcomesOf(parts, entries), most: policy.config.scribe.most });
  const all = await Promise.all(found.map((claim) => withLabelOfWords(parts, claim, entries)));
  const isSecret = ({ text, label }: Claim): boolean =>
    label.secrecy === "secret" || policy.scan(text).length > 0;
  const claims = all.filter((claim) => !isSecret(claim));
  const leftOut = describeSecret(all.length - claims.length);
  if (claims.length === 0) return leftOut;
  await notes.ready();
  const { draftClaims } = await import("./draft-claims.ts");
  const drafts = await draftClaims({ state, policy, loop: parts.loopOf(), clock: parts.clock }, claims);
  let outcomes: readonly ProposeOutcome[];
  do outcomes = await proposeClaims(parts, today, await withoutForgotten(parts, claims, drafts));
  while (outcomes.includes("forgotten"));
  const count = countProposed(outcomes);
  const done =
    count === 0 ? null : `${count} proposed for review.org, from ${countOf(claims.length, "claim")}`;
  const said = [describeProposed(done, outcomes), leftOut].filter((words) => words !== null);
  return said.length === 0 ? null : said.join("; ");
}

/**
 * A claim as private as the words that it was made from: a model is not shown them where they carry a privacy
 * tag, or stand in a private text.
 */
async function withLabelOfWords(
  { privateText }: ScribeParts,
  claim: Claim,
  entries: readonly TranscriptEntry[],
): Promise<Claim> {
  const words = entries.find(({ id }) => id === claim.entry)?.text ?? claim.text;
  const marked = await privateText.labelOfOutcome({ status: "success", content: words }, false);
  await privateText.ready();
  const withheld: Label = {
    ...bottomLabel,
    secrecy: privateText.holdsPrivate(words) ? "private" : "public",
  };
  return { ...claim, label: joinLabels(claim.label, marked, withheld) };
}

type DraftedClaims = { readonly claims: readonly Claim[]; readonly drafts: ReadonlyMap<Claim, string> };

/** The claims whose lines the owner did not forget meanwhile. The model saw all lines at once, so each of its sentences may have words of one that is gone. */
async function withoutForgotten(
  { state }: ScribeParts,
  claims: readonly Claim[],
  drafts: DraftedClaims["drafts"],
): Promise<DraftedClaims> {
  const kept: Claim[] = [];
  for (const claim of claims) if ((await state.sessionMemory.get(claim.entry)) !== null) kept.push(claim);
  return { claims: kept, drafts: kept.length === claims.length ? drafts : new Map() };
}

async function proposeClaims(
  { review, notes, policy }: ScribeParts,
  today: string,
  { claims, drafts }: DraftedClaims,
): Promise<readonly ProposeOutcome[]> {
  const { groupClaims } = await import("../../../memory/scribe/day-note.ts");
  const { findContradictions } = await import("../../../memory/scribe/find-contradictions.ts");
  const { proposeDay } = await import("./propose-day.ts");
  const earlier = await review.allOf(by);
  const proposals: NewProposal[] = [];
  for (const group of groupClaims(claims, ({ at }) => (at === null ? today : localDay(at))))
    pushAll(proposals, await proposeDay({ policy, by, earlier }, group, drafts));
  for (const found of await findContradictions(notes, claims)) proposals.push(asTask(found));
  return review.propose(by, proposals);
}

function describeSecret(count: number): string | null {
  if (count === 0) return null;
  return `${countOf(count, "claim")} left out, since ${count === 1 ? "it looks" : "they look"} like a secret`;
}

function asTask({ claim, note, line, subject }: Contradiction): NewProposal {
  return {
    key: JSON.stringify([subject, note.words, claim.text]),
    title: `Two values of ${subject}`,
    why: `It was said: ${claim.text}\nThe note ${note.title} says: ${line}`,
    source: `[[said:${claim.entry}]] [[id:${note.id}]]`,
    madeFrom: [claim.entry],
    label: joinLabels(claim.label, note.label, { ...bottomLabel, integrity: "agent" }),
    change: {
      kind: "none",
      next: `Find out which holds, and correct ${note.file} or the note of the day.`,
    },
  };
}

/** The first entries after a number in sessions with a person. Entries of jobs are skipped, however many they are. */
async function entriesAfter({ state }: ScribeParts, from: number): Promise<readonly NumberedEntry[]> {
  const ofJobs = new Map<string, boolean>();
  for (let at = from; ; ) {
    const entries = await state.sessionMemory.after(at, mostEntries);
    for (const { session } of entries)
      if (!ofJobs.has(session)) {
        const name = (await state.sessions.get(session))?.name ?? "";
        ofJobs.set(session, name.startsWith(sessionNameOf("")));
      }
    const spoken = entries.filter(({ session }) => ofJobs.get(session) !== true);
    const last = entries.at(-1);
    if (spoken.length > 0 || last === undefined || entries.length < mostEntries) return spoken;
    at = last.number;
  }
}

async function outcomesOf({ state, policy }: ScribeParts, entries: readonly TranscriptEntry[]) {
  const turns = new Map<string, { readonly answered: boolean; readonly files: readonly string[] }>();
  for (const id of new Set(entries.flatMap(({ turn }) => turn ?? []))) {
    const turn = await state.turns.get(id);
    const changes = (await state.changes.ofTurn(id)).filter(({ kind, undone }) => kind === "file" && !undone);
    const files = [...new Set(changes.map(({ path }) => path))];
    turns.set(id, {
      answered: turn?.state === "answered",
      files: files.filter((path) => !policy.isProgramFile(path)),
    });
  }
  return turns;
}
