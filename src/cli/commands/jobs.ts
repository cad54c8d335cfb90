import { jobRequestOf } from "../../signal/job-request.ts";
import { jobsSpec } from "../table/running.ts";
import { type Io, usageError } from "./io.ts";
import { parseVerb } from "./options.ts";
import { runOnAgent } from "./run-on-agent.ts";

/** Lists jobs and their runs; runs, pauses and resumes one, in the agent that runs or in one of this process. */
export async function jobsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, jobsSpec);
  const request = jobRequestOf(verb, words[0] ?? null);
  if (request === null) throw usageError(`${verb} needs the NAME of a job.`, jobsSpec);
  return runOnAgent(io, { kind: "jobs", request }, values.json);
}
