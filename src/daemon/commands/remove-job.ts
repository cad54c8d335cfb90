import { escapeInvisible } from "../../text/escape-invisible.ts";
import { type AddJobParts, placeOf } from "./add-job.ts";
import type { CommandReply } from "./command-reply.ts";

/** Takes a job back: nothing of it runs any more. */
export async function removeJob(
  { state, jobs, journal, writtenJobs }: AddJobParts,
  name: string,
  session: string,
): Promise<CommandReply> {
  const kept = await state.jobs.get(name);
  if (kept === null) {
    const written = (await writtenJobs()).find((read) => (read.ok ? read.job.name : read.name) === name);
    return notDone(
      written === undefined
        ? `There is no job ${name}. List them with: passepartout jobs`
        : `The job ${name} was never approved, so nothing of it runs. Its entry stands in ${placeOf(written)}: delete it there.`,
    );
  }
  if (kept.work.kind === "built-in")
    return notDone(`${name} is a job of the program itself. passepartout jobs pause ${name} lets it rest.`);
  await journal({ kind: "note", session, detail: { event: "job-removed", name } });
  const running = await state.jobs.runs.list({ job: name, states: ["running"], most: 10 });
  await jobs.remove(name);
  for (const { turn } of running) if (turn !== null) await jobs.stopTurn(turn);
  return {
    code: "job-removed",
    text: `The job ${name} is removed, and nothing of it runs any more. Its entry in jobs.org stays; delete it there, or add it again.`,
  };
}

function notDone(text: string): CommandReply {
  return { code: "not-done", text: escapeInvisible(text) };
}
