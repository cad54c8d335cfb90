import { randomUUID } from "node:crypto";
import type { JobRun } from "../../signal/job.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { conversationLabel } from "../../signal/message.ts";
import type { Signal } from "../../signal/signal.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import { type AgentJobs, openAgentJobs } from "../jobs/agent-jobs.ts";
import type { UpkeepJob } from "../jobs/upkeep-jobs.ts";
import { sessionNameOf } from "./cap-of-job.ts";
import type { LoopResources } from "./loop-resources.ts";
import { runJobTurn } from "./run-job-turn.ts";

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
    tell: (run) => tell(resources, loopOf(), run),
    upkeep: upkeepOf(resources),
  });
}

/**
 * Tells the owner of a run that failed or was put off: a TODO in the inbox of the notes, as an action that is judged and can be undone. A reason with words that
 * are not public stays in the log of the jobs.
 */
async function tell({ state, clock, report }: LoopResources, loop: Loop, run: JobRun): Promise<void> {
  const { job, scheduled, state: how, reason, turn: id } = run;
  const outcome = how === "put-off" ? "was put off" : "failed";
  report(`The job ${job} ${outcome}: ${reason}`);
  const turn = id === null ? null : await state.turns.get(id);
  const label = turn === null ? bottomLabel : conversationLabel(turn.messages);
  const why = label.secrecy === "public" ? reason : "";
  const text = [
    `note TODO The job ${job} ${outcome} <${localDay(new Date(clock()))}>`,
    ...(why === "" ? [] : [why]),
    `passepartout jobs log ${job} shows its runs.`,
  ].join("\n");
  const session = await state.sessions.open({ name: sessionNameOf(job), workspace: null, source: "cli" });
  const told = await loop.submit(
    signalOf({ id: `told/${job}/${scheduled}`, session: session.id, text, label, at: clock() }),
  );
  if (told.kind === "refused") throw new Error(told.text);
}

function signalOf(given: Pick<Signal, "id" | "session" | "text" | "label" | "at">): Signal {
  const label: Label = joinLabels(given.label, {
    ...bottomLabel,
    sources: [{ id: given.id, path: "/text" }],
  });
  return {
    ...given,
    id: randomUUID(),
    clientId: given.id,
    sensor: "cron",
    source: "cli",
    person: "nobody",
    payload: { text: given.text, tier: "reflex" },
    depth: 0,
    label,
  };
}

/** A day as Org writes it: `2026-05-05 Tue`. */
function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.getDay()] ?? "";
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${weekday}`;
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
