import type { OwnerCommand } from "../../perceive/commands.ts";
import { pastesOf } from "../../signal/signal.ts";
import { countsAsSaid, type Turn } from "../../signal/turn.ts";
import { countOf } from "../../text/count-of.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatTime } from "../../text/format-time.ts";
import type { JsonObject } from "../../text/json.ts";
import { least } from "../../text/lists.ts";
import { type BegunUndo, runUndo, type UndoRun } from "./begun-undo.ts";
import type { CommandReply } from "./command-reply.ts";
import { localNow } from "./local-now.ts";
import { dropPlan, type PlanParts } from "./plan-commands.ts";
import { previewChanges } from "./preview-undo.ts";
import { redoLast, type TakenBack, takeBack } from "./undo-commands.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/** Moments that are listed, and characters of their words. */
const mostMoments = 100;
const longestWords = 200;

type Rewind = Extract<OwnerCommand, { readonly kind: "rewind" }>;

/** Lists what the owner said in the session, the newest first: each is a moment to which it can go back. */
async function listMoments({ state, policy }: UndoParts, { signal }: CommandOrigin): Promise<CommandReply> {
  const turns = await saidIn(state, signal.session);
  if (turns.length === 0)
    return { code: "no-moments", text: "Nothing was said in this session that could be taken back." };
  const here = localNow();
  const moments = await Promise.all(
    turns.toReversed().map(async ({ id, signal: { text }, startedAt }) => {
      const changed = (await state.changes.withSubTasks(id)).filter(({ undone }) => !undone);
      const files = new Set(changed.filter(({ kind }) => kind === "file").map(({ path }) => path)).size;
      const commands = changed.filter(({ kind }) => kind === "command").length;
      const words = beginOf(policy.filter(text).trim(), longestWords);
      return { id, "at-ms": startedAt, words, files, commands };
    }),
  );
  const lines = moments.map(({ words, files, commands, ...moment }, index) => {
    const changed = [
      ...(files === 0 ? [] : [files === 1 ? "1 file" : `${files} files`]),
      ...(commands === 0 ? [] : [commands === 1 ? "1 command" : `${commands} commands`]),
    ].join(", ");
    const line = words.replaceAll(/\s+/g, " ");
    const time = formatTime(moment["at-ms"], here);
    return `${index + 1}  ${time}  ${line}${changed === "" ? "" : ` (${changed})`}`;
  });
  const text = ["/rewind NUMBER goes back to before these words:", ...lines].join("\n");
  return { code: "moments", text, data: moments };
}

/** The turns of the session whose words were said in it, the oldest first. */
async function saidIn({ turns }: UndoParts["state"], session: string): Promise<readonly Turn[]> {
  return (await turns.ofSession(session, { limit: mostMoments })).filter(countsAsSaid);
}

/**
 * Gives what was said in a turn as it was typed, the words that steered it too, so that it can be said again:
 * its words, what of them was pasted, and
 * the files that came with them, or their names where they would have to be attached again.
 */
async function showMoment(
  { state, policy }: UndoParts,
  { signal: { session } }: CommandOrigin,
  named: string,
): Promise<CommandReply> {
  const turn = await state.turns.get(named);
  if (turn === null || turn.session !== session) return notDone(`There is no moment ${named}.`);
  const { signal, messages } = turn;
  const later = messages.flatMap((message) =>
    message.role === "user" && message.steers === true ? [message] : [],
  );
  const said = [signal.text, ...later.map(({ text }) => text)].join("\n");
  const pastes = [...pastesOf(signal), ...later.flatMap((message) => message.pastes ?? [])];
  const files = messages.flatMap((message) => (message.role === "attachment" ? [message.file] : []));
  const attached: JsonObject[] = [];
  const gone: string[] = [];
  for (const { digest, name, media } of files) {
    const shown = escapeInvisible(policy.filter(name));
    if ((await state.attachments.find(session, digest)) === null) gone.push(shown);
    else attached.push({ id: digest, name: shown, media });
  }
  const text = policy.filter(said);
  const masked = text === said ? {} : { masked: true };
  return { code: "moment", text, data: { pastes: pastes.map(policy.filter), attached, gone, ...masked } };
}

/**
 * Goes back to before the words of a turn: takes back what it and all later turns of the session changed, and their words, or one of both. Nothing is
 * deleted: `/redo` brings it again, as long as nothing new was said or changed.
 */
export async function rewind(
  parts: UndoParts & PlanParts,
  by: CommandOrigin,
  command: Rewind,
): Promise<CommandReply> {
  const { session } = by.signal;
  if (command.turn === null) return listMoments(parts, by);
  if (command.preview === "said") return showMoment(parts, by, command.turn);
  const turns = await turnsOf(parts, session, command.turn);
  if (turns.length === 0) return notDone(`There is no moment ${command.turn}. /rewind lists them.`);
  if (command.preview) return preview(parts, by, turns);
  const unfinished = (await parts.state.turns.unfinished()).some(({ id }) => turns.includes(id));
  if (unfinished)
    return notDone(
      "Something of that runs or waits in this session. Answer or stop it first. Nothing was done.",
    );
  const { what } = command;
  return runUndo(parts, "rewind", by, (run) => takeAllBack(parts, by, { run, turns, what }));
}

/** Finishes a rewinding that a kill cut off. */
export function finishRewinding(
  parts: UndoParts & PlanParts,
  by: CommandOrigin,
  run: UndoRun & { readonly begun: BegunUndo },
): Promise<CommandReply> {
  const { words: turns } = run.begun;
  const what = turns.length === 0 ? "files" : run.begun.turns.length === 0 ? "words" : "all";
  return takeAllBack(parts, by, { run, turns, what });
}

type WhatGoesBack = {
  readonly run: UndoRun;
  readonly turns: readonly string[];
  readonly what: Rewind["what"];
};

/** Takes back the files of turns, then their words, or one of both. */
async function takeAllBack(
  parts: UndoParts & PlanParts,
  by: CommandOrigin,
  { run, turns, what }: WhatGoesBack,
): Promise<CommandReply> {
  const { session } = by.signal;
  const words = what === "files" ? [] : turns;
  const find = () => changesOf(parts, session, turns);
  if (what === "words") await run.begin({ words });
  const undone = what === "words" ? null : await takeBack(parts, by, { command: "rewind", run, find, words });
  if (undone?.code === "not-done") return undone;
  if (what !== "files") {
    const { id } = run;
    await parts.journal({ kind: "note", session, detail: { event: "rewound", id, turns: turns.length } });
    await parts.state.rewindings.take({ id, session, turns });
  }
  const isPlanEnded = what !== "files" && (await dropPlanOf(parts, session, turns));
  const ofWords = what === "files" ? [] : [`The words of ${countOf(turns.length, "turn")} are taken back.`];
  const copied = what === "words" ? null : await changedElsewhere(parts, turns);
  const files = undone === null ? [] : [copied ?? undone.text];
  const plan = isPlanEnded ? ["The flight plan that you approved since has ended for good."] : [];
  return {
    code: undone?.code === "undone-in-part" ? "rewound-in-part" : "rewound",
    text: [...ofWords, ...files, ...plan, "/redo brings it again."].join("\n"),
  };
}

/**
 * What to say where turns were copied from another session, and what they changed stands: it is taken back
 * there. Null for all others.
 */
async function changedElsewhere(
  { state }: Pick<UndoParts, "state">,
  turns: readonly string[],
): Promise<string | null> {
  for (const id of turns) {
    const { copyOf } = (await state.turns.get(id)) ?? {};
    if (copyOf === undefined) continue;
    const changed = await state.changes.withSubTasks(copyOf);
    const [first] = changed.filter(({ undone }) => !undone);
    if (first !== undefined)
      return `What was changed in files stays as it is: the session from which this one was forked changed it, and takes it back: passepartout tui --session ${first.session}, then /rewind.`;
  }
  return null;
}

/** Ends the flight plan of a session if it was approved in one of these turns: who takes back the words takes back their yes to it. */
async function dropPlanOf(
  parts: UndoParts & PlanParts,
  session: string,
  turns: readonly string[],
): Promise<boolean> {
  const [plan, first] = await Promise.all([
    parts.state.flightPlans.of(session),
    parts.state.turns.get(turns[0] ?? ""),
  ]);
  if (plan === null || first === null || plan.since < first.startedAt) return false;
  await dropPlan(parts, session);
  return true;
}

/** Takes the last rewinding or undo of the session back. */
export async function redo(parts: UndoParts, by: CommandOrigin, run: UndoRun): Promise<CommandReply> {
  const { state, journal } = parts;
  const { session } = by.signal;
  const { files, rewinding, id } = await findRedo(parts, session, run);
  if (rewinding === null) return redoLast(parts, by, { run });
  if (!files) await run.begin({ rewinding });
  const redone = files ? await redoLast(parts, by, { run, rewinding }) : null;
  if (redone?.code === "not-done") return redone;
  await journal({ kind: "note", session, detail: { event: "rewinding-taken-back", id } });
  await state.rewindings.giveBack(rewinding);
  return {
    code: "words-back",
    text: ["The words are back.", ...(redone === null ? [] : [redone.text])].join("\n"),
  };
}

/** Whether files are done again, and the rewinding whose words come back; null where none do. */
async function findRedo(
  { state }: UndoParts,
  session: string,
  { begun }: UndoRun,
): Promise<{ readonly files: boolean; readonly rewinding: number | null; readonly id: string }> {
  if (begun !== null) return { files: begun.turns.length > 0, rewinding: begun.rewinding, id: begun.id };
  const latest = await state.rewindings.latest(session);
  const undo = await state.changes.latestUndo(session);
  const number = undo === null ? 0 : ((await state.changes.ofTurn(undo)).at(-1)?.number ?? 0);
  // An undo that was made after the words were taken back is taken back before them.
  if (latest === null || !latest.isLast || number > latest.change)
    return { files: true, rewinding: null, id: "" };
  return { files: undo === latest.id, rewinding: latest.number, id: latest.id };
}

/** The turns from a moment on, oldest first. It is named by its id, or by its number in the list. */
async function turnsOf({ state }: UndoParts, session: string, named: string): Promise<readonly string[]> {
  if (!/^[1-9]\d{0,2}$/.test(named)) return state.rewindings.turnsFrom(session, named);
  const turns = await saidIn(state, session);
  const turn = turns.at(-Number(named));
  return turn === undefined ? [] : state.rewindings.turnsFrom(session, turn.id);
}

/** What stands of the changes of the session, with those of its sub-tasks, since the first change of these turns; null where there is none. */
async function changesOf(
  { state }: UndoParts,
  session: string,
  turns: readonly string[],
): Promise<TakenBack | null> {
  const own = await Promise.all(turns.map((turn) => state.changes.withSubTasks(turn)));
  const sessions = new Set([session, ...own.flat().map((change) => change.session)]);
  const numbers = own.flat().map(({ number }) => number);
  const since = numbers.length === 0 ? [] : await state.changes.since(least(numbers) - 1);
  const changes = since.filter((change) => sessions.has(change.session) && !change.undone);
  const others = changes.map(({ turn }) => turn).filter((turn) => !turns.includes(turn));
  return { turns: [...new Set(others.toReversed()), ...turns.toReversed()], changes };
}

async function preview(
  parts: UndoParts,
  { signal, workspace }: CommandOrigin,
  turns: readonly string[],
): Promise<CommandReply> {
  const found = await changesOf(parts, signal.session, turns);
  const { diffs, lines } = await previewChanges(parts, found?.changes ?? [], workspace);
  const copied = lines.length === 0 ? await changedElsewhere(parts, turns) : null;
  const none = copied === null ? "; no file was changed." : ".";
  const text = [
    `This would take back the words of ${countOf(turns.length, "turn")}${lines.length === 0 ? none : ", and:"}`,
    ...lines,
    ...(copied === null ? [] : [copied]),
  ].join("\n");
  return { code: "changes", text, data: diffs.map((diff): JsonObject => ({ ...diff })) };
}

function notDone(text: string): CommandReply {
  return { code: "not-done", text };
}
