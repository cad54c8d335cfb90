import type { Call } from "../../signal/action.ts";
import type { LabelSource } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Signal } from "../../signal/signal.ts";
import { type Turn, withoutTold } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, type Row, text } from "../storage/rows.ts";
import { type PackedMessage, packMessage, unpackMessages } from "./pack-messages.ts";
import { redactTurn } from "./redact.ts";

/** The messages of all turns lie in one table in their order. The first place of a turn is that of its signal. */
export const placesOfTurn = 1_048_576;

/** How many sources of labels are remembered to be shared. */
const mostShared = 10_000;

/** The columns of `turns` that a turn is read from. */
export const turnColumns = "number, body";

/** What the row of a turn holds: a call stands there by its id where the last answer has it. */
type TurnBody = Omit<Turn, "signal" | "messages" | "pending"> & {
  readonly pending: readonly (Call | string)[];
};

/**
 * The rows of turns. A turn is a small row that each step writes anew, and a row for its signal and for each of its messages, which is written once.
 * What changes rows is a part of the transaction that it is called in.
 */
export class TurnRows {
  readonly #database: Database;
  /** Where messages were written, as long as somebody holds them. */
  readonly #places = new WeakMap<Message, number>();
  readonly #sources = new Map<string, LabelSource>();
  /** Turns that run and may hold what the program told in them before it was forgotten. */
  readonly #withForgotten = new Set<string>();
  #replacements = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds the rows of a new turn, under the next number where none is given. */
  insert(turn: Turn, wanted: number | null = null): void {
    const row = this.#database.get(
      "INSERT INTO turns (number, id, session, client, state, updated, body) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
      wanted,
      turn.id,
      turn.session,
      turn.signal.clientId,
      turn.state,
      turn.startedAt,
      bodyOf(turn),
    );
    if (row === undefined) throw new Error(`the turn ${turn.id} was not kept`);
    const number = integer(row, "number");
    this.#insertSignal(number, turn.signal);
    this.#append(number, turn, 0);
  }

  /** Adds finished turns once more, under another session and ids of their own. They count as filed: what was said in them is found once. */
  copy(turns: readonly Turn[], session: string, newId: () => string): void {
    for (const turn of turns) {
      const id = newId();
      const signal = { ...turn.signal, session, clientId: null };
      this.insert({ ...turn, id, session, copyOf: turn.copyOf ?? turn.id, signal });
      // What was shortened or cleared for models stays so.
      this.#database.run(
        `UPDATE turns SET filed = 1, updated = ?1,
           compacted = (SELECT compacted FROM turns AS copied WHERE copied.id = ?3) WHERE id = ?2`,
        turn.updatedAt,
        id,
        turn.id,
      );
    }
  }

  /** Brings the rows of a turn up to it; messages that are there already are not written again. Contents labelled secret are not kept. */
  update(number: number, turn: Turn, at: number): void {
    const kept = redactTurn(this.#withForgotten.has(turn.id) ? withoutTold(turn) : turn);
    this.#database.run(
      "UPDATE turns SET state = ?, updated = ?, body = ? WHERE number = ?",
      turn.state,
      at,
      bodyOf(kept),
      number,
    );
    this.#append(number, kept, this.#writtenOf(number, kept.messages));
  }

  /** How often a turn was replaced: what was read of turns before may be gone. */
  get replacements(): number {
    return this.#replacements;
  }

  /** Writes the rows of a turn anew, so that nothing stays of what they held. */
  replace(number: number, turn: Turn): void {
    this.#replacements += 1;
    this.#database.run("UPDATE turns SET body = ? WHERE number = ?", bodyOf(turn), number);
    this.#removeFrom(number, 0);
    this.#insertSignal(number, turn.signal);
    this.#append(number, turn, 0);
  }

  /**
   * Removes from all turns what the program told in them, those that run included: any note may stand there.
   */
  forgetTold(): void {
    this.#replacements += 1;
    const running = this.#database.all(
      "SELECT id FROM turns WHERE state NOT IN ('answered', 'blocked', 'failed', 'stopped')",
    );
    for (const row of running) this.#withForgotten.add(text(row, "id"));
    this.#database.run(
      "UPDATE turns SET body = json_remove(body, '$.told') WHERE json_type(body, '$.told') IS NOT NULL",
    );
  }

  /** The turn of a row with `turnColumns`. */
  read(row: Row): Turn {
    return readTurn(this.#database, row, this.#share);
  }

  /** The id of the signal of a turn. */
  signalId(number: number): string {
    const row = this.#database.get(
      "SELECT body ->> '$.id' AS id FROM messages WHERE place = ?",
      placeOf(number, 0),
    );
    if (row === undefined) throw new Error(`the signal of turn ${number} is gone`);
    return text(row, "id");
  }

  /** Where the message stands that gives a result; null where none does. */
  placeOfResult(number: number, { messages }: Turn, id: string): number | null {
    const index = messages.findLastIndex((message) => message.role === "result" && message.result.id === id);
    return index < 0 ? null : placeOf(number, index + 1);
  }

  /** The message that stands at a place; null where none does any more. */
  messageAt(place: number): Message | null {
    const [, ...rows] = rowsOf(this.#database, Math.floor(place / placesOfTurn));
    return messagesOf(rows)[(place % placesOfTurn) - 1] ?? null;
  }

  /** One object for all sources that say the same: so the labels of a long conversation are small, and quickly joined. */
  readonly #share = (source: LabelSource): LabelSource => {
    const key = `${source.path.length} ${source.path}${source.id}`;
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    if (this.#sources.size >= mostShared) this.#sources.clear();
    this.#sources.set(key, source);
    return source;
  };

  #insertSignal(number: number, signal: Signal): void {
    this.#insertRow(placeOf(number, 0), JSON.stringify(signal));
  }

  /** How many of the first messages are in their rows already; rows of others are removed. */
  #writtenOf(number: number, messages: readonly Message[]): number {
    const kept = this.#database.get(
      "SELECT max(place) AS last FROM messages WHERE place >= ? AND place < ?",
      placeOf(number, 0),
      placeOf(number + 1, 0),
    );
    const rows = kept === undefined ? 0 : integer(kept, "last") - placeOf(number, 0);
    const isKnown = (message: Message, index: number): boolean =>
      this.#places.get(message) === placeOf(number, index + 1);
    if (messages.length >= rows && messages.slice(0, rows).every(isKnown)) return rows;
    const packed = packAll(messages);
    const known = rowsOf(this.#database, number).slice(1);
    let same = 0;
    while (same < known.length && text(known[same] ?? {}, "body") === packed[same]) same += 1;
    this.#removeFrom(number, same + 1);
    return same;
  }

  #append(number: number, { messages }: Turn, written: number): void {
    for (const [index, body] of packAll(messages, written).entries()) {
      const place = placeOf(number, written + index + 1);
      this.#insertRow(place, body);
      const message = messages[written + index];
      if (message !== undefined) this.#places.set(message, place);
    }
  }

  #insertRow(place: number, body: string): void {
    this.#database.run("INSERT INTO messages (place, body) VALUES (?, ?)", place, body);
  }

  #removeFrom(number: number, position: number): void {
    this.#database.run(
      "DELETE FROM messages WHERE place >= ? AND place < ?",
      placeOf(number, position),
      placeOf(number + 1, 0),
    );
  }
}

/** The ids of the turns that are copies of this one in forks of its session: they began with the same signal. */
export function copiesOfTurn(database: Pick<Database, "all">, id: string): readonly string[] {
  return database
    .all(
      `SELECT copy.id FROM turns, messages AS own, messages AS other, turns AS copy
       WHERE turns.id = ?1 AND own.place = turns.number * ${placesOfTurn} AND other.place % ${placesOfTurn} = 0
         AND other.body ->> '$.id' = own.body ->> '$.id' AND copy.number = other.place / ${placesOfTurn} AND copy.id <> ?1`,
      id,
    )
    .map((row) => text(row, "id"));
}

/**
 * The turn of a row with `turnColumns`.
 * @internal
 */
export function readTurn(
  database: Pick<Database, "all">,
  row: Row,
  share?: (source: LabelSource) => LabelSource,
): Turn {
  const number = integer(row, "number");
  const { pending, ...body } = json<TurnBody>(row, "body");
  const [signal, ...rows] = rowsOf(database, number);
  if (signal === undefined) throw new Error(`the signal of turn ${number} is gone`);
  const messages = messagesOf(rows, share);
  const calls = callsOf(messages);
  return {
    ...body,
    signal: json<Signal>(signal, "body"),
    messages,
    pending: pending.map((call) => (typeof call === "string" ? calledBy(calls, call) : call)),
  };
}

function placeOf(number: number, position: number): number {
  return number * placesOfTurn + position;
}

function rowsOf(database: Pick<Database, "all">, number: number): readonly Row[] {
  return database.all(
    "SELECT body FROM messages WHERE place >= ? AND place < ? ORDER BY place",
    placeOf(number, 0),
    placeOf(number + 1, 0),
  );
}

function messagesOf(rows: readonly Row[], share?: (source: LabelSource) => LabelSource): readonly Message[] {
  return unpackMessages(
    rows.map((row) => json<PackedMessage>(row, "body")),
    share,
  );
}

/** What the rows of the messages from one on hold. */
function packAll(messages: readonly Message[], from = 0): readonly string[] {
  return messages
    .slice(from)
    .map((message, index) => JSON.stringify(packMessage(message, messages.slice(0, from + index))));
}

function bodyOf(turn: Turn): string {
  const { signal: _signal, messages, pending, ...body } = turn;
  const calls = callsOf(messages);
  const written: TurnBody = {
    ...body,
    pending: pending.map((call) => (isSame(calls.get(call.id), call) ? call.id : call)),
  };
  return JSON.stringify(written);
}

/** The calls of the last answer, by their ids. */
function callsOf(messages: readonly Message[]): ReadonlyMap<string, Call> {
  const answer = messages.findLast((message) => message.role === "assistant");
  const calls = answer?.role === "assistant" ? answer.calls : [];
  return new Map(calls.map((call) => [call.id, call]));
}

function isSame(one: Call | undefined, other: Call): boolean {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));
}

function calledBy(calls: ReadonlyMap<string, Call>, id: string): Call {
  const call = calls.get(id);
  if (call === undefined) throw new Error(`the answer with the call ${id} is gone`);
  return call;
}
