import type { Loop } from "../../turn/turn-loop.ts";
import type { UpkeepJob } from "../jobs/upkeep-jobs.ts";
import { archivistJob } from "./archivist-job.ts";
import { type GardenJobParts, gardenJob } from "./garden-job.ts";
import type { LoopResources } from "./loop-resources.ts";
import type { ReviewInbox } from "./review-inbox.ts";
import { makeScribe } from "./scribe-job.ts";
import { makeSelfRepair } from "./self-repair-job.ts";

type UpkeepResources = GardenJobParts & Pick<LoopResources, "skills" | "jails" | "pollHealth">;

/** What each heartbeat looks for. `loopOf` gives the loop, which is built after the jobs. */
export function upkeepOf(
  resources: UpkeepResources,
  review: ReviewInbox,
  loopOf: () => Loop,
): readonly UpkeepJob[] {
  const { state, notes, semanticIndex, pollHealth } = resources;
  return [
    gardenJob(resources, review),
    archivistJob(resources, review),
    makeScribe({ ...resources, review, loopOf }),
    makeSelfRepair({ ...resources, review, loopOf }),
    {
      name: "file-proposals",
      does: "writes what was proposed in the background to review.org, where that failed before",
      work: async () => {
        await review.file();
        return null;
      },
    },
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
      name: "check-health",
      does: "checks what the agent depends on once a day, and says what changed",
      work: pollHealth,
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
