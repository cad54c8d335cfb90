import type { Turn } from "../../signal/turn.ts";
import { greatest } from "../../text/lists.ts";
import type { Database } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";
import { isSaid } from "./rewindings.ts";
import {
  type FoundEntry,
  openTemporarySessionMemory,
  type SessionMemory,
  type SessionMemoryStore,
} from "./session-memory.ts";
import { type TranscriptEntry, transcriptOf } from "./transcript.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** How many finished turns wait at most until what was said in them is added to session memory. */
const mostUnfiled = 32;

const finished = `filed = 0 AND state IN ('answered', 'blocked', 'failed', 'stopped') AND ${isSaid}`;

/**
 * Session memory over the turns of a database. What was said in a turn is on the disk with the turn; the index that finds it is written for many turns at
 * once: when enough wait, before anything is searched, and when the state closes.
 */
export class SessionFiling {
  readonly turns: TurnRows;
  readonly #database: Database;
  readonly #store: SessionMemoryStore;
  /** How many finished turns wait; null until they were counted. */
  #waiting: number | null = null;

  constructor(database: Database, turns: TurnRows, store: SessionMemoryStore) {
    this.#database = database;
    this.turns = turns;
    this.#store = store;
  }

  /** Adds all finished turns that wait. */
  readonly fileAll = (): void => {
    this.#waiting = 0;
    if (this.#database.get(`SELECT 1 FROM turns WHERE ${finished} LIMIT 1`) === undefined) return;
    this.#database.transaction("deferred", () => {
      const rows = this.#database.all(`SELECT ${turnColumns} FROM turns WHERE ${finished} ORDER BY number`);
      for (const row of rows) {
        this.#store.add(transcriptOf(this.turns.read(row)));
        this.#database.run("UPDATE turns SET filed = 1 WHERE number = ?", integer(row, "number"));
      }
    });
  };

  /** Counts one more finished turn, and adds those that wait once there are enough of them. */
  readonly fileWhenMany = (): void => {
    this.#waiting = this.#waiting === null ? this.#countWaiting() : this.#waiting + 1;
    if (this.#waiting >= mostUnfiled) this.fileAll();
  };

  /** Takes all that was said in a turn out again, as a part of the transaction that it is called in. */
  readonly remove = (turn: string): void => this.#store.remove(turn);

  /** Takes all that was said in a turn out, and what the turn says now in, as a part of the transaction that it is called in. */
  readonly fileAgain = (turn: Turn): void => {
    this.#store.remove(turn.id);
    this.#store.add(transcriptOf(turn));
  };

  /** Session memory as it is read. A state that is open for reading only searches what waits beside it. */
  memory(access: "write" | "read"): SessionMemory {
    if (access === "read") return this.#readOnly();
    return {
      search: async (query, limit, options) => {
        this.fileAll();
        return this.#store.search(query, limit, options);
      },
      get: async (id) => {
        this.fileAll();
        return this.#store.get(id);
      },
      extent: async () => {
        this.fileAll();
        return this.#store.extent();
      },
      after: async (number, most) => this.#store.after(number, most),
    };
  }

  #readOnly(): SessionMemory {
    return {
      search: async (query, limit, options) => {
        const entries = this.#unfiledEntries();
        const filed = await this.#store.search(query, limit, options);
        if (entries.length === 0) return filed;
        using waiting = openTemporarySessionMemory();
        waiting.file(entries);
        return merge(await waiting.search(query, limit, options), filed).slice(0, Math.max(0, limit));
      },
      get: async (id) =>
        this.#store.get(id) ?? this.#unfiledEntries().find((entry) => entry.id === id) ?? null,
      extent: async () => this.#store.extent(),
      after: async (number, most) => this.#store.after(number, most),
    };
  }

  #unfiledEntries(): readonly TranscriptEntry[] {
    return this.#database
      .all(`SELECT ${turnColumns} FROM turns WHERE ${finished} ORDER BY number`)
      .flatMap((row) => transcriptOf(this.turns.read(row)))
      .filter(({ label, text: said }) => label.secrecy !== "secret" && said !== "");
  }

  #countWaiting(): number {
    return this.#database.all(`SELECT 1 FROM turns WHERE ${finished} LIMIT ${mostUnfiled}`).length;
  }
}

/** Two results, best first, as one: their best scores count as equal, since scores of two searches cannot be compared. */
function merge(one: readonly FoundEntry[], other: readonly FoundEntry[]): readonly FoundEntry[] {
  const alike = [one, other].flatMap((found) => {
    const best = greatest(found.map(({ score }) => score ?? 0));
    return found.map((entry) => ({ ...entry, score: entry.score === null ? null : entry.score / best }));
  });
  return alike.toSorted(
    (first, second) => (second.score ?? Number.MAX_VALUE) - (first.score ?? Number.MAX_VALUE),
  );
}
