import type { Loop } from "../../turn/turn-loop.ts";
import { type AgentJobs, openAgentJobs } from "../jobs/agent-jobs.ts";
import type { UpkeepJob } from "../jobs/upkeep-jobs.ts";
import type { LoopResources } from "./loop-resources.ts";
import { runJobTurn } from "./run-job-turn.ts";
import { tellRun } from "./tell-run.ts";

/** Opens the jobs of this agent. `loopOf` gives the loop, which is built after them. */
export function openOwnJobs(resources: LoopResources, loopOf: () => Loop): AgentJobs {
  const { state, clock, report } = resources;
  return openAgentJobs({
    jobs: state.jobs,
    clock,
    report,
    async run(job, run, cancel) {
      await resources.skills.refresh();
      return runJobTurn({ state, loop: loopOf(), clock }, { job, run }, cancel);
    },
    tell: (run) => tellRun({ state, clock, report, loop: loopOf() }, run),
    upkeep: upkeepOf(resources),
  });
}

/** What each heartbeat looks for. */
function upkeepOf({ state, notes, semanticIndex }: LoopResources): readonly UpkeepJob[] {
  return [
    {
      name: "watch-notes",
      does: "reads notes again where watching their folder failed",
      work: async () => {
        notes.onHeartbeat();
        return null;
      },
    },
    {
      name: "embed-texts",
      does: "makes the vectors of new and changed texts, where an embedding provider is set up",
      work: async () => {
        semanticIndex?.startFilling();
        return null;
      },
    },
    {
      name: "compact-sessions",
      does: "shortens what models see of the past of idle sessions",
      work: async () => {
        const turns = await state.compact();
        return turns === 0 ? null : `${turns} turns went to the next stage`;
      },
    },
    {
      name: "refill-reserve",
      does: "keeps room on the disk for ending what was begun",
      work: async () => {
        state.diskReserve.refill();
        return null;
      },
    },
  ];
}
