import type { OwnerCommand } from "../../perceive/commands.ts";
import type { LoopListener } from "../../signal/loop-event.ts";
import type { Source } from "../../signal/signal.ts";
import type { FinalState } from "../../signal/turn.ts";
import type { Loop, Submitted } from "../../turn/turn-loop.ts";

/** The agent, in this process or another: what a client may ask of it. */
export type Daemon = AsyncDisposable & {
  /** Where this process serves other commands, disposing waits until the last has left or `drain` is called. */
  /** What the person should know at the start, each a sentence with what to do. */
  readonly notices: readonly string[];
  readonly greeting: string;
  readonly openSession: (wanted: {
    readonly name: string | null;
    readonly latest: boolean;
    readonly source: Source;
    /** Only what is said by this client is told to it: what waits in the session goes on waiting. */
    readonly own?: boolean;
  }) => Promise<string>;
  readonly say: (said: {
    readonly session: string;
    readonly text: string;
    readonly source: Source;
  }) => Promise<Submitted>;
  readonly obey: (command: OwnerCommand, session: string) => Promise<Submitted>;
  /** What waits under a token, or null. */
  readonly waiting: (token: string) => Promise<{ readonly turn: string; readonly session: string } | null>;
  readonly subscribe: (listener: LoopListener) => () => void;
  readonly settled: Loop["settled"];
  /** Resolves when nothing runs any more, what an earlier process left included. */
  readonly idle: Loop["idle"];
  readonly stop: Loop["stop"];
  /** Leaves before the others do: takes nothing more in, for nobody, and waits at most `ms` for what runs. */
  readonly drain: Loop["drain"];
  /** Takes a snapshot of memory and gives its number. */
  readonly snapshot: (note: string) => Promise<string>;
  /** Marks a turn's answer as shown. */
  readonly delivered: (turn: string) => Promise<void>;
  /** What turns of a session ended with that nobody saw yet. */
  readonly undelivered: (session: string) => Promise<readonly EarlierAnswer[]>;
};

/** What a turn ended with while nobody looked. */
export type EarlierAnswer = {
  readonly turn: string;
  readonly state: FinalState;
  readonly text: string;
};
