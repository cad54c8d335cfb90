import { type AttachmentMessage, asPrivateAs } from "../../signal/attachment.ts";
import { boundWords, longestResult } from "../../signal/bound-result.ts";
import type { Message } from "../../signal/message.ts";
import type { Signal } from "../../signal/signal.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { shortenPast, wordOnUndo } from "./compaction.ts";
import {
  type FinishedTurn,
  openFinishedTurns,
  promptCharacters,
  type ReadFinishedTurns,
  type ShownRoom,
  undoneOfTurn,
} from "./finished-turns.ts";
import { isSaid } from "./rewindings.ts";
import { copiesOfTurn, placesOfTurn, type TurnRows, turnColumns } from "./turn-rows.ts";

/** The maximum length of a history, in messages or in tokens of four characters each. */
export type HistoryLimit = {
  readonly messages?: number;
  readonly tokens?: number;
  /** False where there is no room for what the program told in the turns. */
  readonly told?: boolean;
};

/** The turns on disk. */
export type Turns = {
  readonly get: (id: string) => Promise<Turn | null>;
  /** The turn that a client's id began in a session; null where none did. */
  readonly ofClient: (session: string, client: string) => Promise<Turn | null>;
  /** The turn that a signal began; null where there is none. */
  readonly bySignal: (signal: string) => Promise<Turn | null>;
  /** The copies of a turn in forks of its session. */
  readonly copiesOf: (id: string) => Promise<readonly Turn[]>;
  /** The turns in which one of these texts stands, as the source of a label or otherwise. */
  readonly withText: (texts: readonly string[]) => Promise<readonly Turn[]>;
  /** The turns that ended at a time or later, the newest of them, oldest first. It looks through all turns. */
  readonly endedSince: (time: number) => Promise<readonly Turn[]>;
  /** The turns that are not final, oldest first. */
  readonly unfinished: () => Promise<readonly Turn[]>;
  /** All turns of a session, those that were rewound too, with their copies in forks. */
  readonly allOf: (session: string) => Promise<readonly Turn[]>;
  /** The newest turns of a session that stand, newest last. */
  readonly ofSession: (session: string, options: { readonly limit: number }) => Promise<readonly Turn[]>;
  /** The endings of the newest finished turns of a session, by code or else by state, with their counts. */
  readonly endings: (session: string, limit: number) => Promise<ReadonlyMap<string, number>>;
  /** The messages of the newest finished turns that fit as a whole, in order. */
  readonly history: (session: string, limit: HistoryLimit) => Promise<readonly Message[]>;
  /** The ids of the turns whose messages `history` gives. */
  readonly inHistory: (session: string, limit: HistoryLimit) => Promise<ReadonlySet<string>>;
  /**
   * The messages as a model got them, with a beginning that stays where it is while turns are added, so that
   * each prompt begins like the one before it: when no more fits, about half is left out at once.
   * `hasOlder`: there are finished turns before it.
   */
  readonly stableHistory: (
    session: string,
    limit: HistoryLimit,
  ) => Promise<{ readonly messages: readonly Message[]; readonly hasOlder: boolean }>;
  /** How many results the finished turns of a session gave. */
  readonly resultsBefore: (session: string) => Promise<number>;
  /** A turn under way, with a word on what of its own changes was taken back meanwhile. */
  readonly toldOfUndo: (turn: Turn) => Promise<Turn>;
  /** Shortens the past of a session to summaries, or leaves it out; gives how many turns that changed. */
  readonly shorten: (session: string, to: "summary" | "cleared") => Promise<number>;
};

const unfinished = "state IN ('queued', 'thinking', 'judging', 'suspended', 'acting')";

/** Turns that ended since a time, of which more are not looked at. */
const mostEnded = 1000;

/** The turns of a database. */
export function openTurns(database: Database, rows: TurnRows): Turns {
  const past = openFinishedTurns(database, rows);
  const all = (where: string, ...values: readonly string[]): readonly Turn[] =>
    database.all(`SELECT ${turnColumns} FROM turns WHERE ${where}`, ...values).map((row) => rows.read(row));
  const one = (where: string, ...values: readonly string[]): Turn | null => all(where, ...values)[0] ?? null;
  return {
    get: async (id) => one("id = ?", id),
    ofClient: async (session, client) => one("session = ? AND client = ?", session, client),
    bySignal: async (signal) =>
      one(
        `number = (SELECT place / ${placesOfTurn} FROM messages WHERE place % ${placesOfTurn} = 0 AND body ->> '$.id' = ?)`,
        signal,
      ),
    copiesOf: async (id) => copiesOfTurn(database, id).flatMap((copy) => one("id = ?", copy) ?? []),
    withText: async (texts) => {
      const escaped = JSON.stringify(texts.map((text) => JSON.stringify(text).slice(1, -1)));
      return all(
        `number IN (SELECT place / ${placesOfTurn} FROM messages, json_each(?) AS wanted WHERE instr(messages.body, wanted.value) > 0)
         ORDER BY number`,
        escaped,
      );
    },
    unfinished: async () => all(`filed = 0 AND ${unfinished} ORDER BY number`),
    endedSince: async (time) =>
      database
        .all(
          `SELECT ${turnColumns} FROM turns WHERE updated >= ? AND NOT ${unfinished} ORDER BY number DESC LIMIT ${mostEnded}`,
          time,
        )
        .map((row) => rows.read(row))
        .reverse(),
    allOf: async (session) => {
      const own = all("session = ? ORDER BY number", session);
      const copies = new Set(own.flatMap(({ id }) => copiesOfTurn(database, id)));
      for (const { id } of own) copies.delete(id);
      return [...own, ...[...copies].flatMap((copy) => one("id = ?", copy) ?? [])];
    },
    ofSession: async (session, { limit }) =>
      database
        .all(
          `SELECT ${turnColumns} FROM turns WHERE session = ? AND ${isSaid} ORDER BY number DESC LIMIT ?`,
          session,
          limit,
        )
        .map((row) => rows.read(row))
        .reverse(),
    endings: async (session, limit) => {
      const counts = new Map<string, number>();
      for (const { ending } of past(session, limit)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
      return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    ...openHistory(database, past),
  };
}

/** What later prompts see of turns. */
function openHistory(
  database: Database,
  past: ReadFinishedTurns,
): Pick<Turns, "history" | "inHistory" | "stableHistory" | "resultsBefore" | "toldOfUndo" | "shorten"> {
  return {
    history: async (session, limit) =>
      newestThatFit(past(session), limit).turns.flatMap((turn) => turn.messages.map(inShort(limit))),
    inHistory: async (session, limit) => {
      const { turns } = newestThatFit(past(session), limit);
      return new Set(turns.flatMap(({ id, messages }) => (messages.length === 0 ? [] : [id])));
    },
    stableHistory: async (session, limit) => {
      const { turns, hasOlder } = newestThatFit(past(session), limit);
      const kept = hasOlder ? fromBlockStart(turns, limit) : turns;
      return {
        messages: kept.flatMap(({ sent }) => sent.filter(isWanted(limit)).map(inShort(limit))),
        hasOlder,
      };
    },
    resultsBefore: async (session) => {
      const [last] = past(session, 1);
      return last?.resultsSoFar ?? 0;
    },
    toldOfUndo: async (turn) => {
      const undone = undoneOfTurn(database, turn.id);
      return undone.length === 0 ? turn : { ...turn, messages: [...turn.messages, wordOnUndo(turn, undone)] };
    },
    shorten: async (session, to) => shortenPast(database, session, to),
  };
}

/**
 * The queued turn of a signal, with the signal's text as its first message, and the files that came with it
 * behind it. They are as private as the words, and are sent as they are where those are.
 */
export function newTurn(
  id: string,
  signal: Signal,
  {
    depthLimit,
    at,
    attached,
  }: {
    readonly depthLimit: number;
    readonly at: number;
    readonly attached: readonly AttachmentMessage[];
  },
): Turn {
  return {
    id,
    session: signal.session,
    signal,
    state: "queued",
    depth: signal.depth,
    depthLimit,
    rejections: 0,
    messages: messagesOf(signal, attached),
    pending: [],
    running: null,
    approved: null,
    text: "",
    code: "",
    startedAt: at,
    updatedAt: at,
  };
}

function messagesOf(signal: Signal, attached: readonly AttachmentMessage[]): readonly Message[] {
  return [firstMessage(signal), ...attached.map((file) => asPrivateAsWords(file, signal))];
}

function firstMessage({ text, label, sendAsIs, asIsFor }: Signal): Message {
  if (sendAsIs !== true) return { role: "user", text, label };
  return { role: "user", text, label, asIs: text, ...(asIsFor !== undefined && { asIsFor }) };
}

/** A file that is private by the words alone that it came with is sent with them. */
function asPrivateAsWords(
  file: AttachmentMessage,
  { label, asIsFor }: Pick<Signal, "label" | "asIsFor">,
): AttachmentMessage {
  const { secrecy } = label;
  const isOpen = file.label.secrecy === "public" && secrecy !== "public" && asIsFor !== undefined;
  return { ...asPrivateAs(file, secrecy), ...(isOpen && { asIsFor }) };
}

/**
 * Characters of words that are never shortened: with the word on what is missing they would hardly be
 * shorter.
 */
const leastCut = 1_000;

/**
 * What a prompt shows of one message, where a history has so many tokens: words that would take three
 * quarters
 * of it get one.
 */
function roomOf({ tokens = Number.POSITIVE_INFINITY }: HistoryLimit): ShownRoom {
  return {
    result: Math.min(longestResult, 2 * tokens),
    longest: Math.max(3 * tokens, leastCut),
    words: tokens,
  };
}

function inShort(limit: HistoryLimit): (message: Message) => Message {
  const { longest, words } = roomOf(limit);
  return (message) => boundWords(message, longest, words);
}

function isWanted({ told = true }: HistoryLimit): (message: Message) => boolean {
  return (message) => told || message.role !== "user" || message.told !== true;
}

/** The newest turns that fit as a whole, in order, and whether there are older ones. */
function newestThatFit(
  newestFirst: Iterable<FinishedTurn>,
  limit: HistoryLimit,
): { readonly turns: readonly FinishedTurn[]; readonly hasOlder: boolean } {
  let messagesLeft = limit.messages ?? Number.POSITIVE_INFINITY;
  let charactersLeft = 4 * (limit.tokens ?? Number.POSITIVE_INFINITY);
  const room = roomOf(limit);
  const kept: FinishedTurn[] = [];
  for (const turn of newestFirst) {
    messagesLeft -= turn.messages.length;
    charactersLeft -= promptCharacters(turn, room, limit.told);
    if (messagesLeft < 0 || charactersLeft < 0) return { turns: kept.reverse(), hasOlder: true };
    kept.push(turn);
  }
  return { turns: kept.reverse(), hasOlder: false };
}

/**
 * The turns from the start of a block, which lies in their older half: the turn whose number has the most trailing zeros in binary. While turns are
 * added, that stays the same turn until it no longer fits; nothing has to be stored for it.
 */
function fromBlockStart(turns: readonly FinishedTurn[], limit: HistoryLimit): readonly FinishedTurn[] {
  const sizeOf = (turn: FinishedTurn): number => promptCharacters(turn, roomOf(limit), limit.told);
  const whole = turns.reduce((sum, turn) => sum + sizeOf(turn), 0);
  let before = 0;
  let start = { index: 0, zeros: -1 };
  for (const [index, turn] of turns.entries()) {
    const { number } = turn;
    if (before > whole / 2) break;
    const zeros = 31 - Math.clz32(number & -number);
    if (zeros > start.zeros) start = { index, zeros };
    before += sizeOf(turn);
  }
  return turns.slice(start.index);
}
