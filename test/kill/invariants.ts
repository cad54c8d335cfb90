import { isFinal } from "../../src/signal/turn.ts";
import { forcedEffects, wholeFiles } from "./effects.ts";
import { type Holding, holding, type Run, sum } from "./holding.ts";
import type { Ended } from "./world.ts";

/** What must hold after every kill, by its name. */
export const invariants: ReadonlyMap<string, (run: Run) => Holding> = new Map([
  ["no accepted signal is lost", acceptedSignals],
  ["what was printed as answered is on the disk", printedAnswers],
  ["every turn is answered once", answers],
  ["what had ended stays as it was", endedTurns],
  ["every call has one result", callResults],
  ["no approved action runs twice", approvedRuns],
  ["no forced effect without its journal entry", forcedEffects],
  ["files are whole, and as their results say", wholeFiles],
  ["the program starts again and shows what waits", startsAgain],
  ["journal, replay and memory verify", verifies],
]);

/** Every turn that was on the disk, or said to be accepted, is answered, or waits for the owner's word. */
function acceptedSignals({ killed, taken }: Run): Holding {
  const said = eventsOf(taken.printed, "accepted").map(({ turn }) => turn);
  const ids = new Set([...killed.disk.turns.map(({ id }) => id), ...said]);
  const ends = new Map(taken.disk.turns.map((turn) => [turn.id, turn]));
  return holding([...ids], (id) => {
    const turn = ends.get(id);
    if (turn === undefined) return `turn ${id} is gone`;
    const answered = taken.disk.answers.some((answer) => answer.turn === id);
    if (isFinal(turn.state)) return answered ? null : `turn ${id} is ${turn.state} without an answer`;
    const asked = taken.disk.approvals.some((approval) => approval.turn === id && approval.state === "open");
    return turn.state === "suspended" && asked ? null : `turn ${id} stays ${turn.state}`;
  });
}

function printedAnswers({ scenario, killed }: Run): Holding {
  const texts = scenario.steps.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const printed = texts.filter((text) => killed.stdout.includes(text));
  return holding(printed, (text) =>
    killed.disk.turns.some((turn) => turn.state === "answered" && turn.text === text)
      ? null
      : `"${text}" was printed, and no turn on the disk is answered with it`,
  );
}

function answers({ taken: { disk } }: Run): Holding {
  return holding(disk.turns, ({ id, state, text }) => {
    const given = disk.answers.filter(({ turn }) => turn === id);
    if (given.length !== (isFinal(state) ? 1 : 0))
      return `turn ${id} is ${state} with ${given.length} answers`;
    const same = given.every((answer) => answer.state === state && answer.text === text);
    return same ? null : `turn ${id} and its answer say different things`;
  });
}

function endedTurns({ killed, taken }: Run): Holding {
  const ends = new Map(taken.disk.turns.map((turn) => [turn.id, JSON.stringify(turn)]));
  return holding(
    killed.disk.turns.filter(({ state }) => isFinal(state)),
    (turn) => (ends.get(turn.id) === JSON.stringify(turn) ? null : `turn ${turn.id} changed after its end`),
  );
}

function callResults({ taken }: Run): Holding {
  const calls = taken.disk.turns.flatMap((turn) =>
    turn.messages.flatMap((message) =>
      message.role === "assistant" ? message.calls.map(({ id }) => ({ turn, id })) : [],
    ),
  );
  return holding(calls, ({ turn, id }) => {
    const results = turn.messages.filter((message) => message.role === "result" && message.callId === id);
    const open = turn.pending.some((call) => call.id === id);
    const may = turn.state === "answered" || results.length > 0 ? [1] : open ? [0] : [0, 1];
    return may.includes(results.length)
      ? null
      : `call ${id} of turn ${turn.id} has ${results.length} results`;
  });
}

/** The approved program leaves a line each time that it runs; each yes allows one, and a yes after the kill gives exactly one. */
function approvedRuns({ killed, taken }: Run): Holding {
  const given = taken.disk.approvals.filter(({ state }) => state === "approved");
  const runs = Math.max(killed.lasting.runs, taken.lasting.runs);
  const broken: string[] = [];
  if (runs > given.length) broken.push(`${runs} runs for ${given.length} approvals`);
  if (taken.approved !== null) {
    const [first, second] = taken.approved;
    if (first.code !== 0) broken.push(`the approval failed: ${words(first)}`);
    if (second.code !== 1) broken.push(`the token was taken twice: ${words(second)}`);
    if (taken.lasting.runs !== 1) broken.push(`${taken.lasting.runs} runs after the approval, not 1`);
  }
  return { checked: given.length, broken };
}

function startsAgain({ taken }: Run): Holding {
  return sum([
    holding([taken.ask, taken.reading], (ended) =>
      ended.code === 0 && ended.stderr === "" ? null : words(ended),
    ),
    holding(taken.waiting, ({ state, text }) => {
      const shown = `(earlier) ${state === "answered" ? "" : `${state}: `}${text}\n`;
      return taken.reading.stdout.includes(shown) ? null : `"${text}" waited and was not shown`;
    }),
    holding(taken.disk.answers, ({ text, delivered }) =>
      delivered ? null : `"${text}" still waits to be shown`,
    ),
  ]);
}

function verifies({ taken }: Run): Holding {
  return holding(taken.checks, (ended) => (ended.code === 0 ? null : words(ended)));
}

function words({ args, code, stdout, stderr }: Ended): string {
  return `${args}: exit code ${code}: ${stdout}${stderr}`;
}

/** The events of a kind that `ask --json` printed; a line that the kill cut is none. */
function eventsOf(printed: string, kind: string): readonly { readonly turn: string }[] {
  return printed
    .split("\n")
    .filter((line) => line.startsWith(`{"event":"${kind}"`) && line.endsWith("}"))
    .map((line): { turn: string } => JSON.parse(line));
}
