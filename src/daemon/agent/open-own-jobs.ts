import type { Loop } from "../../turn/turn-loop.ts";
import { type AgentJobs, openAgentJobs } from "../jobs/agent-jobs.ts";
import { listenForJobs, makeEventPorts } from "./event-ports.ts";
import type { LoopResources } from "./loop-resources.ts";
import type { ReviewInbox } from "./review-inbox.ts";
import { runJobTurn } from "./run-job-turn.ts";
import { tellRun } from "./tell-run.ts";
import { upkeepOf } from "./upkeep-of-agent.ts";
import { wordsOfJob } from "./words-of-job.ts";

/** Opens the jobs of this agent. `loopOf` gives the loop, which is built after them. */
export function openOwnJobs(resources: LoopResources, review: ReviewInbox, loopOf: () => Loop): AgentJobs {
  const { state, clock, report } = resources;
  const jobs = openAgentJobs({
    events: makeEventPorts(resources),
    jobs: state.jobs,
    clock,
    report,
    async run(job, run, cancel) {
      await resources.skills.refresh();
      const words = wordsOfJob(job, resources.skills.inForce());
      if ("problem" in words) return { state: "missed", reason: words.problem };
      return runJobTurn({ state, loop: loopOf(), clock }, { job, run, ...words }, cancel);
    },
    tell: (run) => tellRun({ state, clock, report, loop: loopOf() }, run),
    upkeep: upkeepOf(resources, review, loopOf),
  });
  return {
    ...jobs,
    async start() {
      loopOf().subscribe(listenForJobs(resources, jobs));
      await jobs.start();
    },
  };
}
