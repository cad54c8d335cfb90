import type { OwnerCommand } from "../../perceive/commands.ts";
import type { LoopListener } from "../../signal/loop-event.ts";
import type { Source } from "../../signal/signal.ts";
import type { FinalState } from "../../signal/turn.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Loop } from "../../turn/turn-loop.ts";

/** The agent, in this process or another: what a client may ask of it. */
export type Agent = AsyncDisposable & {
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
  }) => Promise<SubmitResult>;
  readonly runCommand: (command: OwnerCommand, session: string) => Promise<SubmitResult>;
  /** What waits under a token, or null. */
  readonly findQuestion: (
    token: string,
  ) => Promise<{ readonly turn: string; readonly session: string } | null>;
  readonly subscribe: (listener: LoopListener) => () => void;
  readonly whenSettled: Loop["whenSettled"];
  /** Resolves when nothing runs any more, what an earlier process left included. */
  readonly whenIdle: Loop["whenIdle"];
  readonly stop: Loop["stop"];
  /** Leaves before the others do: takes nothing more in, for nobody, and waits at most `ms` for what runs. */
  readonly drain: Loop["drain"];
  /** Takes a snapshot of memory and gives its number. */
  readonly takeSnapshot: (note: string) => Promise<string>;
  /** Marks a turn's answer as shown. */
  readonly markDelivered: (turn: string) => Promise<void>;
  /** What turns of a session ended with that nobody saw yet. */
  readonly undelivered: (session: string) => Promise<readonly UndeliveredAnswer[]>;
};

/** What a turn ended with while nobody looked. */
export type UndeliveredAnswer = {
  readonly turn: string;
  readonly state: FinalState;
  readonly text: string;
};
