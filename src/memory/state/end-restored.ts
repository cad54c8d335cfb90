import { randomUUID } from "node:crypto";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Clock } from "../../text/clock.ts";
import { countOf } from "../../text/count-of.ts";
import { pushAll } from "../../text/lists.ts";
import type { Database } from "../storage/database.ts";
import { text } from "../storage/rows.ts";
import { openChatDatabase } from "./chat-database.ts";
import { nameOfSession } from "./name-of-session.ts";
import { insertAnswer } from "./outbox.ts";
import type { State } from "./state.ts";

/** What ending the work of a restored backup needs. */
export type EndRestoredParts = {
  readonly database: Database;
  readonly state: Pick<
    State,
    | "restored"
    | "turns"
    | "sessions"
    | "commit"
    | "approvals"
    | "deferredEdits"
    | "flightPlans"
    | "begunUndo"
    | "keptGuards"
    | "journal"
  >;
  readonly clock: Clock;
};

/**
 * Ends what was unfinished when the backup was made that was restored here: it may have been done since, and
 * nobody knows. Each piece is left in its session, with the reason; runs of jobs that were due are missed.
 * Gives what was ended, in words; nothing where no backup was restored, or all was ended already.
 */
export async function endRestored(parts: EndRestoredParts): Promise<readonly string[]> {
  const { state } = parts;
  if ((await state.restored.get()) !== true) return [];
  const ended: string[] = [];
  for (const turn of await state.turns.unfinished()) ended.push(await endTurn(parts, turn));
  pushAll(ended, await endEdits(parts));
  pushAll(ended, await endPlans(parts));
  pushAll(ended, await endRuns(parts));
  pushAll(ended, await endChats(parts.database));
  await endQuestions(parts.database);
  if ((await state.begunUndo.get()) !== null) {
    ended.push("an undo that was under way");
    await state.begunUndo.set(null);
  }
  for (const { id } of await state.keptGuards.all()) await state.keptGuards.drop(id);
  await state.restored.set(false);
  return ended;
}

const why =
  "This was not finished when the backup was made that was restored. It may have been done since, so it was ended and not done again. If you still want it, say it again.";

async function endTurn({ state, clock }: EndRestoredParts, turn: Turn): Promise<string> {
  const { id, session, running } = turn;
  if (running !== null) await state.journal.append(outcomeOf(turn), { forced: true });
  const at = clock();
  const end = { state: "stopped", text: why } as const;
  await state.commit({
    turn: {
      ...turn,
      ...end,
      code: "restored",
      pending: [],
      rounds: undefined,
      running: null,
      approved: null,
      updatedAt: at,
    },
    answer: { ...end, id: randomUUID(), session, turn: id, at, delivered: false },
  });
  const name = await nameOfSession(state.sessions, session);
  const words = turn.signal.text.trim().replaceAll(/\s+/g, " ").slice(0, longestWords);
  return `"${words}" (session ${name}${turn.state === "suspended" ? ", its question too" : ""})`;
}

/** The outcome of a call that a restore ended. */
function outcomeOf({ id, session, running }: Turn): JournalRecord {
  const nothing = { effects: [], facts: null, verdict: null, trace: [], changes: [] };
  const detail = { status: "error", code: "restored", recovered: true };
  return { turn: id, session, kind: "outcome", digest: running, ...nothing, detail };
}

/** Characters of the owner's words that are named. */
const longestWords = 80;

async function endEdits({ database, state, clock }: EndRestoredParts): Promise<readonly string[]> {
  const edits = await state.deferredEdits.all();
  await database.forced(() => {
    for (const { id, session, turn, path } of edits) {
      const answer = { id: randomUUID(), session, turn, at: clock(), delivered: false };
      insertAnswer(database, {
        ...answer,
        state: "stopped",
        text: `The edit of ${path} that waited. ${why}`,
      });
      database.run("DELETE FROM pending_edits WHERE id = ?", id);
    }
  });
  return edits.map(({ path }) => `an edit of ${path} that waited for an editor`);
}

async function endPlans({ database, state }: EndRestoredParts): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const row of database.all("SELECT id FROM sessions")) {
    const session = text(row, "id");
    if (await state.flightPlans.drop(session))
      ended.push(`the flight plan of session ${session.slice(0, 8)}`);
  }
  return ended;
}

/**
 * Runs that wait, events that have no run yet, and instants that passed since are missed; what a scan finds
 * first is how things are.
 */
async function endRuns({ database, clock }: EndRestoredParts): Promise<readonly string[]> {
  const now = clock();
  const jobs = database.all(
    `SELECT job AS name FROM job_runs WHERE state IN ('queued', 'running') UNION SELECT job FROM job_events WHERE run IS NULL
     UNION SELECT name FROM jobs WHERE next <= ? ORDER BY name`,
    now,
  );
  await database.forced(() => {
    database.run(
      "UPDATE job_runs SET state = 'missed', reason = ?, ended = ? WHERE state IN ('queued', 'running')",
      "A backup was restored that was made before it ended.",
      now,
    );
    database.run("DELETE FROM job_events WHERE run IS NULL");
    database.run("DELETE FROM job_places");
    database.run("UPDATE jobs SET last = ? WHERE last < ?", now, now);
  });
  return jobs.map((row) => `what was due of the job ${text(row, "name")}`);
}

/** What waited to be sent to chats, and what came from them and was not handled. */
async function endChats(database: Database): Promise<readonly string[]> {
  const chats = openChatDatabase(database).reading();
  if (chats === null) return [];
  return database.forced(() => {
    const unsent = database.run(
      "UPDATE chat_outbox SET state = 'dead', body = NULL, reason = ? WHERE state IN ('waiting', 'sending')",
      "A backup was restored that was made before it was sent.",
    );
    const unread = database.run("UPDATE chat_inbox SET state = 'done', body = NULL WHERE state = 'new'");
    return [
      ...(unsent === 0 ? [] : [`the sending of ${countOf(unsent, "message")} to chats`]),
      ...(unread === 0 ? [] : [`${countOf(unread, "message")} from chats`]),
    ];
  });
}

/** No question of before is answered any more, by whatever token. */
async function endQuestions(database: Database): Promise<void> {
  await database.forced(() =>
    database.run(
      "UPDATE approvals SET state = 'void', body = json_set(body, '$.state', 'void') WHERE state = 'open'",
    ),
  );
}
