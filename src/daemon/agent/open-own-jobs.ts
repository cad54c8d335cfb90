import type { Loop } from "../../turn/turn-loop.ts";
import { type AgentJobs, openAgentJobs } from "../jobs/agent-jobs.ts";
import { sessionNameOf } from "./cap-of-job.ts";
import { listenForJobs, makeEventPorts } from "./event-ports.ts";
import type { Dismissing } from "./job-ports.ts";
import type { LoopResources } from "./loop-resources.ts";
import type { ReviewInbox } from "./review-inbox.ts";
import { runJobTurn } from "./run-job-turn.ts";
import { makeSecrecyOfEvents } from "./secrecy-of-events.ts";
import { tellRun } from "./tell-run.ts";
import { upkeepOf } from "./upkeep-of-agent.ts";
import { wordsOfJob } from "./words-of-job.ts";

/** Opens the jobs of this agent. `loopOf` gives the loop, which is built after them. */
export function openOwnJobs(
  resources: LoopResources,
  review: ReviewInbox,
  loopOf: () => Loop,
): AgentJobs & Dismissing {
  const { state, clock, report } = resources;
  const secrecyOf = makeSecrecyOfEvents({
    notes: resources.notes.place,
    originsOf: state.origins.of,
    privacyTags: resources.policy.config.privacyTags,
  });
  // What was told of a job leaves the inbox once that is past.
  const forget = (name: string) => review.withdraw(sessionNameOf(name), []);
  const jobs = openAgentJobs({
    events: makeEventPorts(resources),
    jobs: state.jobs,
    clock,
    report,
    async run(job, run, cancel) {
      await resources.skills.refresh();
      const words = wordsOfJob(job, resources.skills.inForce());
      if ("problem" in words) return { state: "missed", reason: words.problem };
      const parts = { state, loop: loopOf(), clock, secrecyOf };
      const came = await runJobTurn(parts, { job, run, ...words }, cancel);
      if (came.state === "done" && (await state.jobs.runs.endedBefore(run))?.state !== "done")
        await forget(job.name);
      return came;
    },
    tell: (run) => tellRun({ state, review, report }, run),
    upkeep: upkeepOf(resources, review, loopOf),
  });
  return {
    ...jobs,
    async remove(name) {
      await jobs.remove(name);
      await forget(name);
    },
    async dismiss(name) {
      const [runs, told] = [await state.jobs.runs.dismiss(name), await forget(name)];
      return runs || told > 0;
    },
    async start() {
      loopOf().subscribe(listenForJobs(resources, jobs));
      await jobs.start();
    },
  };
}
