import { randomUUID } from "node:crypto";
import type { State } from "../../memory/state/state.ts";
import type { Clock } from "../../signal/clock.ts";
import type { JobRun } from "../../signal/job.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { conversationLabel } from "../../signal/message.ts";
import type { Signal } from "../../signal/signal.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import { waitAfter } from "../jobs/job-scheduler.ts";
import type { Telling } from "../jobs/tellings.ts";
import { sessionNameOf } from "./cap-of-job.ts";

/** What telling of a run needs. */
export type TellRunParts = {
  readonly state: Pick<State, "jobs" | "turns" | "sessions">;
  readonly loop: Pick<Loop, "submit" | "whenSettled">;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** How often a note that cannot be written is tried. */
const mostTries = 6;

/**
 * Tells the owner of a run that failed or was put off: a TODO in the inbox of the notes, as an action that is judged and can be undone. Each try is a turn
 * with an id of its own, so a process that was killed finds how far it came; the run counts as told once a note is written.
 */
export async function tellRun(parts: TellRunParts, run: JobRun): Promise<Telling> {
  const { state, loop, clock, report } = parts;
  const name = sessionNameOf(run.job);
  const session = (await state.sessions.open({ name, workspace: null, source: "cli" })).id;
  let before: Turn | null = null;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const id = `told/${run.job}/${run.scheduled}/${tries}`;
    const turn: Turn | null = await state.turns.ofClient(session, id);
    if (turn === null) {
      if (before !== null && clock() < before.updatedAt + waitAfter(tries - 1)) return { state: "later" };
      if (before === null) report(describeRun(run));
      const told = await loop.submit(await signalOf(parts, run, { id, session }));
      if (told.kind === "refused") throw new Error(told.text);
      return {
        state: "waits",
        settled: told.kind === "turn" ? loop.whenSettled(told.turn) : Promise.resolve(),
      };
    }
    if (!isFinal(turn.state)) return { state: "waits", settled: loop.whenSettled(turn.id) };
    if (isWritten(turn)) return { state: "told" };
    before = turn;
  }
  report(`${describeRun(run)} The note of it could not be written: ${before?.text ?? ""}`);
  return { state: "told" };
}

function describeRun({ job, state, reason }: JobRun): string {
  return `The job ${job} ${outcomeOf(state)}: ${reason}`;
}

function outcomeOf(state: JobRun["state"]): string {
  return state === "put-off" ? "was put off" : "failed";
}

/** A note that waits for an editor counts: it is on the disk. */
function isWritten({ state, messages }: Turn): boolean {
  return (
    state === "answered" &&
    messages.some((message) => message.role === "result" && message.result.outcome.status === "success")
  );
}

/** The line that keeps the note. A reason with words that are not public stays in the log of the jobs. */
async function signalOf(
  { state, clock }: TellRunParts,
  { job, scheduled, state: how, reason, turn: id }: JobRun,
  named: { readonly id: string; readonly session: string },
): Promise<Signal> {
  const turn = id === null ? null : await state.turns.get(id);
  const of = turn === null ? bottomLabel : conversationLabel(turn.messages);
  const { chain } = await state.jobs.events.ofRun({ job, scheduled });
  const at = clock();
  const text = [
    `note TODO The job ${job} ${outcomeOf(how)} <${localDay(new Date(at))}>`,
    ...(reason === "" || of.secrecy !== "public" ? [] : [reason]),
    `passepartout jobs log ${job} shows its runs.`,
  ].join("\n");
  const label: Label = joinLabels(of, { ...bottomLabel, sources: [{ id: named.id, path: "/text" }] });
  return {
    session: named.session,
    text,
    at,
    id: randomUUID(),
    clientId: named.id,
    sensor: "cron",
    source: "cli",
    person: "nobody",
    payload: { text, tier: "reflex", job, chain: [...chain] },
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
