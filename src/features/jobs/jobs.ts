import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { runOnAgent } from "../../program/run-on-agent.ts";
import { callProperties } from "../../signal/jobs/call-caps.ts";
import { jobRequestOf } from "../../signal/jobs/job-request.ts";
import { jobsSpec } from "./command-specs.ts";
import { type JobWriting, type NewJob, writeJob } from "./write-job.ts";

/** Lists jobs and their runs; adds, removes, runs, pauses and resumes one, in the agent that runs or in one of this process. */
export async function jobsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, jobsSpec);
  const [name = null, ...text] = words;
  const request = jobRequestOf(verb, name);
  if (request === null) throw usageError(`${verb} needs the NAME of a job.`, jobsSpec);
  if (request.verb === "add") {
    const written = await writeIfGiven(io, { ...values, name: request.name, text: text.join(" ") });
    if (written?.ok === false) {
      io.err(`${written.problem}\n`);
      return exitCodes.failed;
    }
    return runOnAgent(io, { kind: "jobs", request }, values.json, written?.takeOut);
  }
  return runOnAgent(io, { kind: "jobs", request }, values.json);
}

type Given = {
  readonly name: string;
  readonly text: string;
  readonly cron?: string | undefined;
  readonly hook?: readonly string[] | undefined;
  readonly zone?: string | undefined;
  readonly tier?: string | undefined;
  readonly "catch-up"?: string | undefined;
  readonly grace?: string | undefined;
  readonly folder?: string | undefined;
  readonly dollars?: string | undefined;
  readonly "model-calls"?: string | undefined;
  readonly "tool-calls"?: string | undefined;
  readonly allow?: readonly string[] | undefined;
};

/**
 * Writes the entry of a new job. Without words about it the entry that is there counts, and null is given.
 */
async function writeIfGiven(io: Io, given: Given): Promise<JobWriting | null> {
  const { name, text, cron, hook, zone, tier, grace, folder, dollars, allow } = given;
  const { "catch-up": catchUp, "model-calls": modelCalls, "tool-calls": toolCalls } = given;
  const rest = [zone, tier, catchUp, grace, folder, dollars, modelCalls, toolCalls, ...(allow ?? [])];
  if (cron === undefined && hook === undefined) {
    if (text === "" && rest.every((one) => one === undefined)) return null;
    throw usageError("A new job needs --cron FIELDS or --hook EVENT beside its WORDS and options.", jobsSpec);
  }
  if (text === "") throw usageError("A new job needs WORDS that say what it does.", jobsSpec);
  const job: NewJob = {
    name,
    text,
    allows: allow ?? [],
    properties: [
      ["CRON", cron],
      ["HOOK", hook?.join(" ")],
      ["ZONE", zone],
      ["TIER", tier],
      ["CATCH_UP", catchUp],
      ["GRACE", grace],
      ["FOLDER", folder],
      ["DOLLARS", dollars],
      [callProperties.models, modelCalls],
      [callProperties.tools, toolCalls],
    ],
  };
  return writeJob({ environment: io.environment, cwd: io.cwd }, job);
}
