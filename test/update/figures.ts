import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readDisk } from "../kill/disk.ts";
import type { Said } from "./load.ts";

/** What became of what was said while the program was updated. */
export type Figures = {
  readonly asked: number;
  readonly answered: number;
  /** The program took the words, and whoever said them had no answer. */
  readonly lost: number;
  /** The program said that it did not take the words. */
  readonly refused: number;
  /** Words that became more than one turn. */
  readonly doubled: number;
  /**
   * Runs of jobs that were asked for by a command, and those that nobody could begin, as while npm replaced
   * the program.
   */
  readonly runsAsked: number;
  readonly runsRefused: number;
  /**
   * Runs of jobs by the state, those that never ended, and notes of the job that writes one, missing or made
   * twice.
   */
  readonly runsDone: number;
  readonly runsLost: number;
  readonly notesLost: number;
  readonly notesDoubled: number;
  /** Each answer that did not come, with what was printed instead. */
  readonly troubles: readonly string[];
};

/** Counts what became of all that was said, by what each was told and by the turns of a state. */
export function countAnswers(
  said: readonly Said[],
  { state, notes }: { state: string; notes: string },
): Figures {
  const turns = readDisk(state, "database").turns.map((turn) => JSON.stringify(turn.signal));
  const turnsOf = (words: string): number => turns.filter((turn) => turn.includes(`"${words}"`)).length;
  const jobs = said.filter(({ by }) => by === "job");
  const spoken = said.filter(({ by }) => by !== "job");
  const without = spoken.filter(({ answered }) => !answered);
  const isTaken = ({ words, by }: Said): boolean => by !== "ask" || turnsOf(words) > 0;
  return {
    asked: spoken.length,
    answered: spoken.length - without.length,
    lost: without.filter(isTaken).length,
    refused: without.filter((one) => !isTaken(one)).length,
    doubled: spoken.filter(({ words }) => turnsOf(words) > 1).length,
    runsAsked: jobs.length,
    runsRefused: jobs.filter(({ answered }) => !answered).length,
    ...countRuns(state, readFileSync(notes, "utf8").split("ticked").length - 1),
    troubles: said.flatMap(({ words, by, answered, trouble }) =>
      answered ? [] : [`${by} "${words}": ${trouble}`],
    ),
  };
}

function countRuns(state: string, notes: number) {
  const of = (job: string) => rowsOf(state, `SELECT state FROM job_runs WHERE job = '${job}'`);
  const done = (rows: readonly Record<string, unknown>[]): number =>
    rows.filter((row) => row["state"] === "done").length;
  const [think, tick] = [of("think"), of("tick")];
  const runsDone = done(think) + done(tick);
  return {
    runsDone,
    runsLost: think.length + tick.length - runsDone,
    notesLost: Math.max(0, done(tick) - notes),
    notesDoubled: Math.max(0, notes - done(tick)),
  };
}

/** Whether a run of a job is queued or running, or an event waits for one. */
export function hasOpenRuns(state: string): boolean {
  const open = rowsOf(state, "SELECT job FROM job_runs WHERE state IN ('queued', 'running')");
  return open.length + rowsOf(state, "SELECT job FROM job_events WHERE run IS NULL").length > 0;
}

function rowsOf(state: string, sql: string): readonly Record<string, unknown>[] {
  using database = new DatabaseSync(join(state, "state.db"), { readOnly: true, timeout: 5000 });
  return database.prepare(sql).all();
}

/** The figures of several rounds together. */
export function sumOf(rounds: readonly Figures[]): Figures {
  const sum = (count: (figures: Figures) => number): number =>
    rounds.reduce((all, one) => all + count(one), 0);
  return {
    asked: sum(({ asked }) => asked),
    answered: sum(({ answered }) => answered),
    lost: sum(({ lost }) => lost),
    refused: sum(({ refused }) => refused),
    doubled: sum(({ doubled }) => doubled),
    runsAsked: sum(({ runsAsked }) => runsAsked),
    runsRefused: sum(({ runsRefused }) => runsRefused),
    runsDone: sum(({ runsDone }) => runsDone),
    runsLost: sum(({ runsLost }) => runsLost),
    notesLost: sum(({ notesLost }) => notesLost),
    notesDoubled: sum(({ notesDoubled }) => notesDoubled),
    troubles: [],
  };
}
