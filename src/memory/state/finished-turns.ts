import { asPrivateAs } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import { promptLength } from "../../signal/message-length.ts";
import { messagesAsSent } from "../../signal/told-state.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";
import { changesUndone } from "./changes.ts";
import { type Compaction, compactionStage, compactTurn } from "./compaction.ts";
import { isSaid } from "./rewindings.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** A finished turn as later turns see it. */
export type FinishedTurn = {
  /** Its number in the database: later turns have higher ones. */
  readonly number: number;
  readonly id: string;
  readonly messages: readonly Message[];
  /** The same as a model gets them: with what the program told it, and with the numbers of results. */
  readonly sent: readonly Message[];
  /** How many results it and the turns before it gave. */
  readonly resultsSoFar: number;
  /** Length of the messages as JSON. */
  readonly characters: number;
  /** Length of what a prompt shows of each of them. */
  readonly shown: readonly ShownLength[];
  /** The code of the turn, or else its state. */
  readonly ending: string;
};

/** Length of a message; a prompt cuts what is long of a result. */
type ShownLength = {
  readonly characters: number;
  readonly role: Message["role"];
  readonly isTold: boolean;
};

/** Characters that a prompt shows at most: of a result, and of the words of a person beyond `longest`. */
export type ShownRoom = { readonly result: number; readonly longest: number; readonly words: number };

/** Length of what a prompt shows of a turn, with or without what the program told in it. */
export function promptCharacters(
  { shown }: Pick<FinishedTurn, "shown">,
  room: ShownRoom,
  withTold = true,
): number {
  return shown.reduce((sum, { characters, role, isTold }) => {
    if (isTold && !withTold) return sum;
    if (role === "result") return sum + Math.min(room.result, characters);
    return sum + (role === "user" && characters > room.longest ? room.words : characters);
  }, 0);
}

/** Reads the finished turns of a session one by one, newest first, up to a limit. */
export type ReadFinishedTurns = (session: string, limit?: number) => Iterable<FinishedTurn>;

/** The number of rows that a query reads. */
const batch = 100;
/** Characters of messages that stay in memory, since each turn of a session reads its past. */
const rememberedCharacters = 1_000_000;

/**
 * Reads finished turns and keeps the latest in memory. A finished turn changes only when it loses its large
 * results, is compacted, is forgotten, or is undone.
 */
export function openFinishedTurns(database: Database, rows: TurnRows): ReadFinishedTurns {
  const known = new Map<string, FinishedTurn>();
  let characters = 0;
  let replacements = 0;
  const remember = (key: string, past: FinishedTurn): void => {
    known.set(key, past);
    characters += past.characters;
    for (const [oldest, { characters: freed }] of known) {
      if (characters <= rememberedCharacters) return;
      known.delete(oldest);
      characters -= freed;
    }
  };
  const read = (number: number, slimmed: number, stage: number): FinishedTurn => {
    if (rows.replacements !== replacements) known.clear();
    if (known.size === 0) characters = 0;
    replacements = rows.replacements;
    const undone = undoneOfTurn(database, makerOf(database, number));
    const key = `${number} ${slimmed} ${stage} ${undone.join("\n")}`;
    const before = known.get(key);
    if (before !== undefined) {
      known.delete(key);
      known.set(key, before);
      return before;
    }
    const row = database.get(`SELECT ${turnColumns} FROM turns WHERE number = ?`, number);
    if (row === undefined) throw new Error(`turn ${number} is gone`);
    const turn = rows.read(row);
    const past = finishedTurn(number, turn, { stage: compactionStage(stage), undone });
    remember(key, past);
    return past;
  };
  return function* (session, limit = Number.POSITIVE_INFINITY) {
    let before = Number.MAX_SAFE_INTEGER;
    const most = Math.min(batch, limit);
    for (let count = 0; ; ) {
      const rows = database.all(
        `SELECT number, slimmed, compacted FROM turns
         WHERE session = ? AND number < ? AND state IN ('answered', 'blocked', 'failed', 'stopped') AND ${isSaid}
         ORDER BY number DESC LIMIT ?`,
        session,
        before,
        most,
      );
      for (const row of rows) {
        if (count >= limit) return;
        before = integer(row, "number");
        yield read(before, integer(row, "slimmed"), integer(row, "compacted"));
        count += 1;
      }
      if (rows.length < most) return;
    }
  };
}

function finishedTurn(
  number: number,
  turn: Turn,
  { stage, undone }: { readonly stage: Compaction; readonly undone: readonly string[] },
): FinishedTurn {
  const messages = compactTurn(turn, stage, undone).map(turn.code === "private-words" ? heldBack : asItIs);
  // Where messages were left out, what stood between them has no place any more.
  const isWhole = messages.length >= turn.messages.length;
  const { told, resultsBefore = 0 } = turn;
  const sent = messagesAsSent({
    messages,
    ...(isWhole && told !== undefined ? { told } : {}),
    ...(turn.resultsBefore === undefined ? {} : { resultsBefore }),
  });
  return {
    number,
    id: turn.id,
    messages,
    sent,
    resultsSoFar: resultsBefore + turn.messages.filter(({ role }) => role === "result").length,
    characters: JSON.stringify(sent).length,
    shown: sent.map(shownLength),
    ending: turn.code === "" ? turn.state : turn.code,
  };
}

/** What came with words that were held back is held back with them: `/send` says all of it again. */
function heldBack(message: Message): Message {
  return message.role === "attachment" ? asPrivateAs(message, "private") : message;
}

const asItIs = (message: Message): Message => message;

/** The turn under which the changes of a turn are kept: of a copy in a fork, those of the original. */
function makerOf(database: Database, number: number): string {
  const row = database.get(
    "SELECT coalesce(body ->> '$.copyOf', id) AS id FROM turns WHERE number = ?",
    number,
  );
  return row === undefined ? "" : text(row, "id");
}

/** What an undo took back of what a turn changed, in words. */
export function undoneOfTurn(database: Database, turn: string): readonly string[] {
  const named = changesUndone(database, turn).map(({ kind, path }) => {
    const quoted = JSON.stringify(path);
    return kind === "command" ? `what a command changed in ${quoted}` : quoted;
  });
  return [...new Set(named)];
}

function shownLength(message: Message): ShownLength {
  const isTold = message.role === "user" && message.told === true;
  return { characters: promptLength(message), role: message.role, isTold };
}
