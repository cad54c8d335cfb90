import { randomUUID } from "node:crypto";
import type { BegunRewinding } from "../../memory/state/rewindings.ts";
import type { State } from "../../memory/state/state.ts";
import type { OwnerCommand } from "../../perceive/commands.ts";
import type { JsonObject } from "../../signal/json.ts";
import { countOf } from "../../signal/text/count-of.ts";
import { beginOf } from "../../signal/text/cut-text.ts";
import { formatTime } from "../../signal/text/format-time.ts";
import type { CommandReply } from "./command-reply.ts";
import { dropPlan, type PlanParts } from "./plan-commands.ts";
import { previewChanges } from "./preview-undo.ts";
import { type CommandOrigin, redoLast, type TakenBack, takeBack } from "./undo-commands.ts";
import type { UndoParts } from "./undo-request.ts";

/** Moments that are listed, and characters of their words. */
const mostMoments = 100;
const longestWords = 200;

type Rewind = Extract<OwnerCommand, { readonly kind: "rewind" }>;

/** Lists what the owner said in the session, the newest first: each is a moment to which it can go back. */
async function listMoments({ state, policy }: UndoParts, { signal }: CommandOrigin): Promise<CommandReply> {
  const turns = await state.turns.ofSession(signal.session, { limit: mostMoments });
  if (turns.length === 0)
    return { code: "no-moments", text: "Nothing was said in this session that could be taken back." };
  const here = { now: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
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
  const turns = await turnsOf(parts, session, command.turn);
  if (turns.length === 0) return notDone(`There is no moment ${command.turn}. /rewind lists them.`);
  if (command.preview) return preview(parts, by, turns);
  const unfinished = (await parts.state.turns.unfinished()).some(({ id }) => turns.includes(id));
  if (unfinished)
    return notDone(
      "Something of that runs or waits in this session. Answer or stop it first. Nothing was done.",
    );
  return takeAllBack(parts, by, { id: randomUUID(), session, turns, what: command.what });
}

/** Finishes the rewindings that a kill cut off between their files and their words. Gives what was done, in words. */
export async function finishRewindings(
  parts: UndoParts & PlanParts & { readonly state: Pick<State, "sessions"> },
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const begun of await parts.state.rewindings.begun()) {
    const workspace = (await parts.state.sessions.get(begun.session))?.workspace ?? null;
    // Only the owner begins one.
    const by = { signal: { session: begun.session, person: "owner", source: "system" }, workspace } as const;
    const { text } = await takeAllBack(parts, by, { ...begun, what: "all" });
    notes.push(`Passepartout ended in the middle of a rewinding, and went on with it now. ${text}`);
  }
  return notes;
}

/** Takes back the files of turns, then their words, or one of both. What is begun stays noted until both are done. */
async function takeAllBack(
  parts: UndoParts & PlanParts,
  by: CommandOrigin,
  { what, ...begun }: BegunRewinding & { readonly what: Rewind["what"] },
): Promise<CommandReply> {
  const { id, session, turns } = begun;
  const { rewindings } = parts.state;
  if (what === "all") await rewindings.begin(begun);
  const undone =
    what === "words"
      ? null
      : await takeBack(parts, by, { command: "rewind", find: () => changesOf(parts, session, turns), id });
  if (undone?.code === "not-done") {
    await rewindings.giveUp(id);
    return undone;
  }
  if (what !== "files") {
    await parts.journal({ kind: "note", session, detail: { event: "rewound", id, turns: turns.length } });
    await rewindings.take(begun);
  }
  const isPlanEnded = what !== "files" && (await dropPlanOf(parts, session, turns));
  const words = what === "files" ? [] : [`The words of ${countOf(turns.length, "turn")} are taken back.`];
  const files = undone === null ? (what === "words" ? [] : ["No file had been changed."]) : [undone.text];
  const plan = isPlanEnded ? ["The flight plan that you approved since has ended for good."] : [];
  return {
    code: undone?.code === "undone-in-part" ? "rewound-in-part" : "rewound",
    text: [...words, ...files, ...plan, "/redo brings it again."].join("\n"),
  };
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
export async function redo(parts: UndoParts, by: CommandOrigin): Promise<CommandReply> {
  const { state, journal } = parts;
  const { session } = by.signal;
  const latest = await state.rewindings.latest(session);
  const undo = await state.changes.latestUndo(session);
  const number = undo === null ? 0 : ((await state.changes.ofTurn(undo)).at(-1)?.number ?? 0);
  // An undo that was made after the words were taken back is taken back before them.
  if (latest === null || !latest.isLast || number > latest.change) return redoLast(parts, by);
  const redone = undo === latest.id ? await redoLast(parts, by) : null;
  if (redone?.code === "not-done") return redone;
  await journal({ kind: "note", session, detail: { event: "rewinding-taken-back", id: latest.id } });
  await state.rewindings.giveBack(latest.number);
  return {
    code: "words-back",
    text: ["The words are back.", ...(redone === null ? [] : [redone.text])].join("\n"),
  };
}

/** The turns from a moment on, oldest first. It is named by its id, or by its number in the list. */
async function turnsOf({ state }: UndoParts, session: string, named: string): Promise<readonly string[]> {
  if (!/^[1-9]\d{0,2}$/.test(named)) return state.rewindings.turnsFrom(session, named);
  const turns = await state.turns.ofSession(session, { limit: mostMoments });
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
  const since = numbers.length === 0 ? [] : await state.changes.since(Math.min(...numbers) - 1);
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
  const count = turns.length === 1 ? "1 turn" : `${turns.length} turns`;
  const text = [
    `This would take back the words of ${count}${lines.length === 0 ? "; no file was changed." : ", and:"}`,
    ...lines,
  ].join("\n");
  return { code: "changes", text, data: diffs.map((diff): JsonObject => ({ ...diff })) };
}

function notDone(text: string): CommandReply {
  return { code: "not-done", text };
}
