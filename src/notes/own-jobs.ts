import { propertyOf, scanOutline } from "#org";
import { type CallCaps, callProperties } from "../signal/jobs/call-caps.ts";
import type { CatchUp, JobTier, Overlap } from "../signal/jobs/job.ts";
import { type Hook, readHooks } from "../signal/jobs/job-event.ts";
import { bottomLabel, joinLabels, type Label } from "../signal/label.ts";
import { labelFromOrigin, originProperty } from "./origin-property.ts";
import type { LabelEntry } from "./own-commands.ts";

/** An entry of the owner's jobs, as it is written. It runs once the owner approved it. */
export type WrittenJob = {
  readonly name: string;
  /** Null for a job that its hooks alone begin. */
  readonly cron: string | null;
  readonly zone: string | null;
  readonly hooks: readonly Hook[];
  readonly tier: JobTier;
  readonly text: string;
  /** Where its words came from, as far as the entry says, and how secret the entry is. */
  readonly label: Label;
  readonly catchUp: CatchUp;
  /** Milliseconds. */
  readonly grace: number;
  readonly limit: number;
  readonly overlap: Overlap;
  readonly attempts: number;
  readonly folder: string | null;
  readonly dollars: number | null;
  readonly calls: CallCaps;
  /** Whether its owner reads what it says at its end. */
  readonly answer: "kept" | "unread";
  /** What it may do without a question, each in the words of a flight plan. */
  readonly allows: readonly string[];
  /** The tags of the entry and of its file. */
  readonly tags: readonly string[];
  /** The whole entry, by which a change of it is noticed. */
  readonly entry: string;
};

/** An entry that reads as a job, or why it does not. */
export type ReadJob = (
  | { readonly ok: true; readonly job: WrittenJob }
  | { readonly ok: false; readonly name: string; readonly problem: string }
) & {
  /** The skill that brings it; left out for an entry of `jobs.org`. */
  readonly skill?: string;
};

const minute = 60_000;
const units: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", minute],
  ["h", 60 * minute],
  ["d", 1440 * minute],
]);
/** How late a run may begin where the entry does not say, by its catch-up. */
const usualGrace: Readonly<Record<CatchUp, number>> = {
  skip: 5 * minute,
  once: 7 * 1440 * minute,
  all: 1440 * minute,
};
const longestLimit = 1440 * minute;
const mostAttempts = 10;
const mostCalls = 10_000;

/** The name of a job. */
const jobName = /^[a-z][a-z0-9-]{0,39}$/;

/** Reads the owner's jobs from an Org text: each headline of the first level with a `CRON` or `HOOK` property is a job, the text below it what it does. `hasCondition`: something else says at which heartbeats it is due. */
export function readWrittenJobs(
  text: string,
  {
    hasCondition = false,
    labelOf = () => bottomLabel,
  }: { readonly hasCondition?: boolean; readonly labelOf?: LabelEntry } = {},
): readonly ReadJob[] {
  const { headlines, settings } = scanOutline(text);
  return headlines.flatMap((headline): readonly ReadJob[] => {
    const property = (name: string): string | null => propertyOf(headline.properties, name)?.trim() ?? null;
    const cron = property("CRON");
    if (headline.level !== 1 || (cron === null && property("HOOK") === null)) return [];
    const name = headline.title.trim();
    const from = Math.max(headline.lineEnd, headline.properties?.end ?? 0, headline.planning?.end ?? 0);
    const words = text.slice(from, headline.end);
    const read = readEntry({ name, cron, words, property, hasCondition });
    if (typeof read === "string") return [{ ok: false, name, problem: read }];
    const tags = [...new Set([...settings.tags, ...(headline.tags?.names ?? [])])];
    const label = joinLabels(read.label, labelOf(headline));
    const entry = text.slice(headline.begin, headline.end).trim();
    return [{ ok: true, job: { ...read, label, tags, entry } }];
  });
}

type Entry = {
  readonly name: string;
  readonly cron: string | null;
  readonly words: string;
  readonly property: (name: string) => string | null;
  readonly hasCondition: boolean;
};

function readEntry({
  name,
  cron,
  words,
  property,
  hasCondition,
}: Entry): Omit<WrittenJob, "entry" | "tags"> | string {
  if (!jobName.test(name))
    return "its name has other characters than small letters, digits and -, or does not begin with a letter";
  const lines = words.split("\n");
  const allows = lines.flatMap((line) => /^\s*- ALLOW: (.+)$/.exec(line)?.[1]?.trim() ?? []);
  const text = lines
    .filter((line) => !/^\s*- ALLOW: /.test(line))
    .join("\n")
    .trim();
  if (text === "") return "it says nothing to do: write it below the properties";
  const tier = oneOf(property("TIER"), ["reflex", "cognition", "reasoning"] as const, "reasoning");
  const catchUp = oneOf(property("CATCH_UP"), ["skip", "once", "all"] as const, "once");
  if (tier === null) return "its TIER is none of reflex, cognition, reasoning";
  if (catchUp === null) return "its CATCH_UP is none of skip, once, all";
  const overlap = oneOf(property("OVERLAP"), ["skip", "wait"] as const, catchUp === "all" ? "wait" : "skip");
  if (overlap === null) return "its OVERLAP is neither skip nor wait";
  const grace = duration(property("GRACE"), usualGrace[catchUp]);
  const limit = duration(property("LIMIT"), 10 * minute);
  if (grace === null || limit === null || limit === 0 || limit > longestLimit)
    return "its GRACE or LIMIT is no time such as 30s, 10m, 2h or 1d; a LIMIT is a day at most";
  const attempts = Number(property("ATTEMPTS") ?? "3");
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > mostAttempts)
    return `its ATTEMPTS are no number from 1 to ${mostAttempts}`;
  const answer = oneOf(property("ANSWER"), ["kept", "unread"] as const, "kept");
  if (answer === null) return "its ANSWER is neither kept nor unread";
  const caps = readCaps(property);
  if (typeof caps === "string") return caps;
  const [zone, folder] = [property("ZONE"), property("FOLDER")];
  const hooks = readHooks(property("HOOK") ?? "");
  if (typeof hooks === "string") return hooks;
  const problem = problemOfHooks(hooks, { tier, folder, hasCondition });
  if (problem !== null) return problem;
  return {
    name,
    cron,
    zone,
    hooks,
    tier,
    text,
    label: labelFromOrigin(bottomLabel, property(originProperty) ?? undefined),
    catchUp,
    grace,
    limit,
    overlap,
    attempts,
    folder,
    ...caps,
    answer,
    allows,
  };
}

/** What a run may spend and call. */
function readCaps(property: Entry["property"]): Pick<WrittenJob, "dollars" | "calls"> | string {
  const dollars = amount(property("DOLLARS"));
  if (dollars === undefined) return "its DOLLARS are no number above 0";
  const models = count(property(callProperties.models), 1);
  const tools = count(property(callProperties.tools), 0);
  if (models === undefined) return `its ${callProperties.models} are no number from 1 to ${mostCalls}`;
  if (tools === undefined) return `its ${callProperties.tools} are no number from 0 to ${mostCalls}`;
  return { dollars, calls: { models, tools } };
}

/** A heartbeat alone is no reason to ask a model, and with a condition of its own none to ask a large one; files are those of a folder. */
function problemOfHooks(
  hooks: readonly Hook[],
  { tier, folder, hasCondition }: Pick<WrittenJob, "tier" | "folder"> & Pick<Entry, "hasCondition">,
): string | null {
  const names = new Set(hooks.map(({ name }) => name));
  if (names.has("heartbeat") && tier !== "reflex" && !(hasCondition && tier === "cognition"))
    return hasCondition
      ? "its HOOK heartbeat needs a TIER without a large model: reflex or cognition"
      : "its HOOK heartbeat needs a TIER without a model: reflex";
  return names.has("file-changed") && folder === null
    ? "its HOOK file-changed needs a FOLDER, in which the files are"
    : null;
}

function oneOf<T extends string>(word: string | null, known: readonly T[], usual: T): T | null {
  return word === null ? usual : (known.find((one) => one === word.toLowerCase()) ?? null);
}

function duration(words: string | null, usual: number): number | null {
  if (words === null) return usual;
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(words) ?? [];
  const factor = units.get(unit);
  return factor === undefined ? null : Number(count) * factor;
}

/** Undefined for what is no amount. */
function amount(words: string | null): number | null | undefined {
  if (words === null) return null;
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(words) && Number(words) > 0 ? Number(words) : undefined;
}

/** Undefined for what is no such number. */
function count(words: string | null, least: number): number | null | undefined {
  if (words === null) return null;
  const number = /^\d{1,5}$/.test(words) ? Number(words) : -1;
  return number >= least && number <= mostCalls ? number : undefined;
}

/** A job as the entry that is written for it. */
export function printJob(job: {
  readonly name: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly allows: readonly string[];
}): string {
  return [
    `* ${job.name}`,
    ":PROPERTIES:",
    ...job.properties.map(([name, value]) => `:${name}: ${value}`),
    ":END:",
    ...job.allows.map((step) => `- ALLOW: ${step}`),
    job.text,
    "",
  ].join("\n");
}
