import type { State } from "../../../memory/state/state.ts";
import type { JobRun } from "../../../signal/jobs/job.ts";
import { bottomLabel, joinLabels } from "../../../signal/label.ts";
import { conversationLabel } from "../../../signal/message.ts";
import { reviewFileName } from "../../../signal/review.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";
import type { Untold } from "../resources/untold.ts";
import { describeProposed } from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";

/** What telling of a run needs. */
export type TellRunParts = {
  readonly state: Pick<State, "jobs" | "turns">;
  readonly review: Pick<ReviewInbox, "propose">;
  readonly report: (message: string) => void;
  readonly untold: Pick<Untold, "tell">;
};

/**
 * Tells the owner of a run. One that is done is told in one line, with where its answer is. One that failed
 * or was put off is, besides: an entry of the review inbox, one for each reason until a run of the job is
 * done. The same run told again is the same entry, so a process that was killed before it noted that loses
 * and doubles nothing.
 */
export async function tellRun(parts: TellRunParts, run: JobRun): Promise<void> {
  const { state, review, report, untold } = parts;
  const { job, state: how, reason, turn: id } = run;
  if (how === "done") return tellDone(parts, run);
  const turn = id === null ? null : await state.turns.get(id);
  const [done] = await state.jobs.runs.list({ job, states: ["done"], most: 1 });
  const outcomes = await review.propose(sessionNameOf(job), [
    {
      key: JSON.stringify([how, reason, done?.scheduled ?? null]),
      title: `The job ${job} ${outcomeOf(how)}`,
      why: reason,
      source: "",
      label: joinLabels(turn === null ? bottomLabel : conversationLabel(turn.messages), {
        ...bottomLabel,
        integrity: "agent",
      }),
      change: {
        kind: "none",
        next: `passepartout jobs log ${job} shows its runs, and passepartout jobs run ${job} runs it now.`,
      },
    },
  ]);
  const words = `The job ${job} ${outcomeOf(how)}: ${reason}`;
  if (outcomes.includes("proposed")) {
    report(words);
    await untold.tell(words);
  }
  const leftOut = describeProposed(null, outcomes);
  if (leftOut !== null) report(`${words} It has no entry in ${reviewFileName}: ${leftOut}.`);
}

/** The program's own jobs, and those whose answer nobody reads, are done without a word. */
async function tellDone({ state, untold }: TellRunParts, { job, reason }: JobRun): Promise<void> {
  const work = (await state.jobs.get(job))?.work;
  if (work?.kind !== "words" || work.answer === "unread") return;
  const where = `passepartout cli --session '${sessionNameOf(job)}' shows it`;
  await untold.tell(`The job ${job} is done${reason === "" ? "" : `: ${reason}`} (${where})`);
}

function outcomeOf(state: JobRun["state"]): string {
  return state === "put-off" ? "was put off" : "failed";
}
