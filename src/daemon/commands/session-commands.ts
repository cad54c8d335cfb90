import type { OwnerCommand } from "../../perceive/commands.ts";
import { formatPastStep } from "../../shown/format-outcome.ts";
import { excerptOf } from "../../shown/session-description.ts";
import { formatSessions, type SessionSummary, sessionData } from "../../shown/session-summary.ts";
import { isJobSignal } from "../../signal/signal.ts";
import { isByReflex, isFinal, joinedCode, type Turn } from "../../signal/turn.ts";
import { countOf } from "../../text/count-of.ts";
import { cutEnd } from "../../text/cut-middle.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { isJsonArray, type JsonObject } from "../../text/json.ts";
import type { CommandReply } from "./command-reply.ts";
import { localNow } from "./local-now.ts";
import { type ModelCommandParts, modelCommand, orderModels } from "./model-command.ts";
import type { NoteLookups } from "./note-lookups.ts";
import { openCalls, pastSteps } from "./past-steps.ts";
import type { DerivedLookups } from "./plan-derived.ts";
import { shortenPast } from "./shorten-past.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/** What the commands about sessions need. */
export type SessionCommandParts = ModelCommandParts &
  UndoParts &
  Pick<DerivedLookups, "grownFrom" | "jobsFrom"> &
  Pick<NoteLookups, "overwriteIndex"> & {
    /** Ends what runs on in a session beside its turns. */
    readonly endPrograms: (session: string) => Promise<boolean>;
  };

/** Sessions that are listed. */
const mostListed = 200;
/** Turns that a history has at most, and characters of each text in it. */
const mostTurns = 200;
const longestText = 20_000;
/** Characters that the calls of a history take together, and those of its whole answers. */
const mostCalls = 300_000;
const mostAnswers = 1_000_000;

/** Runs a command about sessions. */
export function runSessionCommand(
  parts: SessionCommandParts,
  command: SessionCommand,
  by: CommandOrigin,
): Promise<CommandReply> {
  const current = by.signal.session;
  switch (command.kind) {
    case "sessions":
      return listSessions(parts, current);
    case "history":
      return showHistory(parts, command.id ?? current, command.limit);
    case "rename-session":
      return renameSession(parts, { named: command.id, current, name: command.name });
    case "fork-session":
      return forkSession(parts, { named: command.id, current });
    case "delete-session":
      return deleteSession(parts, command.id, by);
    case "clear":
      return parts.endPrograms(current).then(() => shortenPast(parts, command.kind, current));
    case "compact":
      return shortenPast(parts, command.kind, current);
    case "model":
      return command.order === undefined
        ? modelCommand(parts, command.name, current)
        : orderModels(parts, command.order, current);
  }
}

type SessionCommand = Extract<
  OwnerCommand,
  {
    readonly kind:
      | "sessions"
      | "history"
      | "rename-session"
      | "fork-session"
      | "delete-session"
      | "compact"
      | "model"
      | "clear";
  }
>;

/** Lists the sessions, the last used first. */
async function listSessions({ state, policy }: SessionCommandParts, current: string): Promise<CommandReply> {
  const sessions = await shownSessions({ state, policy });
  const { home } = policy.folders;
  const text = formatSessions(sessions, { here: localNow(), current, home });
  return { code: "sessions", text, data: sessions.map(sessionData) };
}

/** The past of a session, the oldest turn first, as its clients were told of it. */
async function showHistory(
  parts: SessionCommandParts,
  named: string,
  limit: number | null,
): Promise<CommandReply> {
  const session = await parts.state.sessions.find(named);
  if (session === null) return noSession(named);
  const { filter } = parts.policy;
  const turns = await parts.state.turns.ofSession(session.id, { limit: Math.min(limit ?? 50, mostTurns) });
  const cut = (text: string, most = longestText) =>
    excerptOf(filter(text), { lines: most, characters: most });
  const room = { characters: mostCalls };
  let answers = mostAnswers;
  const told: JsonObject[] = [];
  // The newest turns have the room first.
  for (const turn of turns.filter(({ code }) => code !== joinedCode).reverse()) {
    const { steps, left } = await pastSteps({ state: parts.state, filter, room }, turn);
    const said = wordsOf(turn);
    const { text: begin, left: more } = cut(said);
    const words = more === 0 ? begin : cutEnd(filter(said).trim(), begin.length);
    const answer = cut(turn.text, Math.max(answers, longestText));
    answers -= answer.text.length;
    told.unshift({
      id: turn.id,
      "at-ms": turn.startedAt,
      state: turn.state,
      code: turn.code,
      ...(isJobSignal(turn.signal) ? { job: true } : {}),
      words,
      ...(words === said && isOwnersAlone(turn) ? { whole: true } : {}),
      ...attachedTo(turn, filter),
      answer: answer.text,
      "answer-left": answer.left,
      ...(isByReflex(turn) ? { plain: true } : {}),
      steps,
      ...(left === 0 ? {} : { "steps-left": left }),
      ...workOf(turn, turns, filter),
    });
  }
  const lines = told.map((turn) =>
    [
      `${turn["job"] === true ? "Job" : "You"}: ${turn["words"]}`,
      ...callLines(turn),
      `${turn["answer"]}`,
    ].join("\n"),
  );
  return { code: "history", text: lines.join("\n\n") || "Nothing was said in this session yet.", data: told };
}

/**
 * Of a turn that runs: since when, and its calls without an outcome. It began once those before it had
 * ended.
 */
function workOf(turn: Turn, turns: readonly Turn[], filter: (text: string) => string): JsonObject {
  if (isFinal(turn.state) || turn.state === "queued" || turn.state === "suspended") return {};
  const before = turns.slice(0, turns.indexOf(turn)).findLast(({ state }) => isFinal(state));
  const since = Math.max(turn.startedAt, before?.updatedAt ?? 0);
  return { "working-since-ms": since, "open-calls": openCalls(filter, turn) };
}

/** What a turn did, a line for each call. */
function callLines({ steps }: JsonObject): readonly string[] {
  return isJsonArray(steps) ? steps.flatMap((step) => formatPastStep(step)) : [];
}

/** What its person said in a turn, also while it ran. */
function wordsOf({ signal, messages }: Turn): string {
  const later = messages.flatMap((message) =>
    message.role === "user" && message.steers === true ? [message.text] : [],
  );
  return [signal.text, ...later].join("\n\n");
}

/** Whether a turn began with words of a person and nothing else: no job said them, no file came with them. */
function isOwnersAlone({ signal, messages }: Turn): boolean {
  return !isJobSignal(signal) && messages.every(({ role }) => role !== "attachment");
}

/** The names of the files that came with the words of a turn. */
function attachedTo({ messages }: Turn, filter: (text: string) => string): JsonObject {
  const names = messages.flatMap((message) =>
    message.role === "attachment" ? [escapeInvisible(filter(message.file.name))] : [],
  );
  return names.length === 0 ? {} : { attached: names };
}

/** Gives a session a name, by which it can be continued. */
async function renameSession(
  parts: SessionCommandParts,
  {
    named,
    current,
    name,
  }: { readonly named: string | null; readonly current: string; readonly name: string },
): Promise<CommandReply> {
  const session = await parts.state.sessions.find(named ?? current);
  if (session === null) return noSession(named ?? current);
  const words = name.trim();
  if (words === "" || words.length > 100 || /[\p{Cc}\p{Cf}]/u.test(words))
    return notDone("A name has 1 to 100 characters that can be seen. Nothing was done.");
  if (!(await parts.state.sessions.rename(session.id, words)))
    return notDone(`Another session is named ${words}. Nothing was done.`);
  await note(parts, session.id, { event: "session-renamed" });
  return { code: "renamed", text: `This session is named ${words} now: --session '${words}' continues it.` };
}

/** Begins a session whose past is that of another one. */
async function forkSession(
  parts: SessionCommandParts,
  { named, current }: { readonly named: string | null; readonly current: string },
): Promise<CommandReply> {
  const session = await parts.state.sessions.find(named ?? current);
  if (session === null) return noSession(named ?? current);
  const id = await parts.state.forkSession(session.id);
  await note(parts, id, { event: "session-forked", from: session.id });
  const text = `A new session has the past of this one: --session ${id} continues it. What this one changed in files stays with it.`;
  return { code: "forked", text, data: { id } };
}

/** Forgets a session for good. The owner names it: a session is not deleted by accident. */
async function deleteSession(
  parts: SessionCommandParts,
  named: string,
  by: CommandOrigin,
): Promise<CommandReply> {
  const session = await parts.state.sessions.find(named);
  if (session === null) return noSession(named);
  if (session.id === by.signal.session)
    return notDone("This is the session that you are in. Delete it from another one. Nothing was done.");
  const unfinished = (await parts.state.turns.unfinished()).filter((turn) => turn.session === session.id);
  if (unfinished.length > 0)
    return notDone("Something runs or waits in this session. Answer or stop it first. Nothing was done.");
  await parts.endPrograms(session.id);
  return parts.state.changes.runExclusively(async () => {
    const { findGrownTexts } = await import("./grown-texts.ts");
    const { texts: grown, left } = await findGrownTexts(parts, session.id);
    const forgotten = await parts.state.forgetSession({ session: session.id, grown });
    const { turns, proposals } = forgotten;
    const { forgetEntries } = await import("./forget-entries.ts");
    const entries = await forgetEntries(parts, proposals, by);
    await parts.overwriteIndex();
    await note(parts, session.id, { event: "session-deleted", turns, grown: forgotten.grown });
    const made = `what ${countOf(forgotten.grown, "turn")} of jobs and sub-tasks made of them`;
    const gone = [`the texts of its ${turns} turns`, ...(forgotten.grown > 0 ? [made] : []), ...entries];
    const text = `Deleted, with ${gone.join(", and ")}. What it changed in files stays.`;
    return { code: "deleted", text: [text, ...left].join("\n") };
  });
}

async function shownSessions({
  state,
  policy,
}: Pick<SessionCommandParts, "state" | "policy">): Promise<readonly SessionSummary[]> {
  const sessions = await state.sessions.list(mostListed);
  return sessions.map((session) => ({ ...session, title: policy.filter(session.title) }));
}

function note({ journal }: SessionCommandParts, session: string, detail: Record<string, string | number>) {
  return journal({ kind: "note", session, detail });
}

function noSession(named: string): CommandReply {
  return notDone(
    `There is no session ${named}, or several begin like that. /session in a conversation, or passepartout sessions, lists them.`,
  );
}

function notDone(text: string): CommandReply {
  return { code: "not-done", text };
}
