import type { State } from "../../../memory/state/state.ts";
import { countOf } from "../../../text/count-of.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import { archivistJob } from "./archivist-job.ts";
import { type GardenJobParts, gardenJob } from "./garden-job.ts";
import { makeScribe } from "./scribe-job.ts";
import { makeSelfRepair } from "./self-repair-job.ts";

const embedTexts = "embed-texts";
const compactSessions = "compact-sessions";

/** Whether the owner paused the job that makes vectors: then nothing else makes them either. */
export async function isEmbeddingPaused({ jobs }: Pick<State, "jobs">): Promise<boolean> {
  return (await jobs.get(embedTexts))?.paused === true;
}

/** Shortens the past at the start or end of a process, unless the owner paused that, and notes it as done by its job. */
export async function compactUnlessPaused(state: State): Promise<void> {
  if ((await state.jobs.get(compactSessions))?.paused === true) return;
  const reason = await compact(state);
  if (reason !== null) await state.jobs.runs.note({ job: compactSessions, state: "done", reason });
}

/** Begins to make vectors, and says how many were made since it said so last; where the owner wants it now, it waits for them. */
async function embed(index: UpkeepResources["semanticIndex"], asked: boolean): Promise<string | null> {
  if (index === null) return null;
  index.startFilling();
  if (asked) await index.idle();
  const made = index.takeMade();
  const problem = index.problem();
  if (asked && problem !== null) throw new Error(problem);
  return made === 0 ? null : `${countOf(made, "text")} got vectors`;
}

async function compact(state: Pick<State, "compact">): Promise<string | null> {
  const turns = await state.compact();
  return turns === 0 ? null : `${countOf(turns, "turn")} went to the next stage`;
}

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
        const hasTried = await review.file();
        const isWritten = hasTried && (await state.proposals.unfiled()).length === 0;
        return isWritten ? "review.org was written" : null;
      },
    },
    {
      name: "watch-notes",
      does: "reads notes again where their folder cannot be watched",
      work: async (asked) => {
        notes.onHeartbeat();
        if (!asked) return null;
        await notes.sync();
        return "your notes were compared with the index";
      },
    },
    {
      name: embedTexts,
      does: "makes vectors of new and changed texts, if an embedding provider is set up",
      work: (asked) => embed(semanticIndex, asked),
    },
    {
      name: compactSessions,
      does: "shortens what models see of the past of idle sessions",
      work: () => compact(state),
    },
    {
      name: "check-health",
      does: "checks what the agent depends on once a day, and says what changed",
      work: pollHealth,
    },
    {
      name: "refill-reserve",
      does: "keeps a reserve on the disk, so that running work can end",
      work: async () =>
        (await state.diskReserve.refill()) ? "the reserve on the disk is whole again" : null,
    },
  ];
}
