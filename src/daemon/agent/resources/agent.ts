import type { NearTexts } from "../../../memory/recall/search-memory.ts";
import type { OwnerCommand } from "../../../perceive/commands.ts";
import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import type { SessionDescription } from "../../../shown/session-description.ts";
import type { HiddenAsker } from "../../../signal/hidden-prompt.ts";
import type { LoopListener } from "../../../signal/loop-event.ts";
import type { Source } from "../../../signal/signal.ts";
import type { FinalState } from "../../../signal/turn.ts";
import type { TerminalSize } from "../../../text/terminal-size.ts";
import type { SubmitResult } from "../../../turn/submit-result.ts";

/** The agent as a command uses it, in this process or in the daemon. Where this process serves other commands, disposing waits until the last has left or `drain` is called. */
export type Agent = AsyncDisposable & {
  /** What the person should know at the start, each a sentence with what to do. */
  readonly notices: readonly string[];
  /** The version of the daemon whose agent this is; null for an agent of this process. */
  readonly daemonVersion: string | null;
  /** Opens a session and gives its id: the latest one, one of this name, or a new one. */
  readonly openSession: (wanted: {
    readonly name: string | null;
    readonly latest: boolean;
    readonly source: Source;
    /** The client is told only of what it says itself; answers that wait in the session go on waiting. */
    readonly own?: boolean;
  }) => Promise<string>;
  /** Describes a session that was opened. */
  readonly describeSession: (session: string) => Promise<SessionDescription>;
  /**
   * What became of work that a process was killed in, which the owner was not told yet; for a session that
   * was opened.
   */
  readonly untold: (session: string) => Promise<readonly string[]>;
  /** Notes that the owner was told all of that. */
  readonly markTold: (told?: readonly string[]) => Promise<void>;
  /** The questions that wait and that this client is not sent unasked. A daemon sends them all. */
  readonly unsentQuestions: () => Promise<readonly ApprovalQuestion[]>;
  /** Submits words of the owner. Words that are a command run it. */
  readonly say: (words: OwnerWords) => Promise<SubmitResult>;
  /** Runs a command of the owner at once. `clientId`: the id under which a client asked for it. */
  readonly runCommand: (
    command: OwnerCommand,
    session: string,
    clientId?: string | null,
  ) => Promise<SubmitResult>;
  /** The turn that waits for an answer to the question with this token; null where there is none, or it is not known here. */
  readonly findQuestion: (
    token: string,
  ) => Promise<{ readonly turn: string; readonly session: string } | null>;
  readonly subscribe: (listener: LoopListener) => () => void;
  /** Resolves when the turn is final or suspended. */
  readonly whenSettled: (turn: string) => Promise<void>;
  /** Resolves when no turn runs or waits to run, those that a former process left included. */
  readonly whenIdle: () => Promise<void>;
  /** Cancels what runs in a session, and what is queued behind it; questions that wait stay. False where nothing ran. */
  readonly stop: (session: string) => Promise<boolean>;
  /** Shuts down: accepts nothing more, and waits up to so many milliseconds for running turns. */
  readonly drain: (milliseconds: number) => Promise<void>;
  /** Takes a snapshot of memory and gives its number. */
  readonly takeSnapshot: (note: string) => Promise<string>;
  /** The notes, and what was said in sessions, that are nearest in meaning to the owner's words, at most so many of each; `problem` says why there are none, where that is a failure. */
  readonly findNearest: (text: string, limit: number) => Promise<NearestTexts>;
  /** Unlocks or locks the owner's vault in the agent, or changes nothing; says how it stands then. */
  readonly changeVault: (request: VaultRequest) => Promise<SubmitResult>;
  /** Shows the owner the hidden prompts of programs, until the result is called. */
  readonly askThrough: (asker: HiddenAsker) => () => void;
  /** Answers a hidden prompt by a line, or refuses by null. The line goes to the program alone. */
  readonly answerHidden: (id: string, line: string | null) => Promise<SubmitResult>;
  /** Tells the size of the owner's terminal, which programs on terminals of the session get. */
  readonly tellSize: (session: string, size: TerminalSize) => void;
  /** Has the agent read again what the owner allows, and journal each change of it. */
  readonly recordPolicy: () => Promise<void>;
  /** Marks a turn's answer as shown. */
  readonly markDelivered: (turn: string) => Promise<void>;
  /** The answers of a session that nobody saw yet. */
  readonly undelivered: (session: string) => Promise<readonly UndeliveredAnswer[]>;
};

/** What the owner wants of the vault. `none` brings the agent up to date with its file. */
export type VaultRequest =
  | { readonly change: "unlock"; readonly passphrase: string }
  | { readonly change: "lock" | "none" };

/** What is near in meaning, and why a failure may hide some of it. */
export type NearestTexts = NearTexts & { readonly problem: string | null };

/** Words of the owner. */
export type OwnerWords = {
  readonly session: string;
  readonly text: string;
  readonly source: Source;
  /** Something of them was pasted or came by a pipe. They are never a command. */
  readonly pasted?: boolean;
  /**
   * Which parts of them were; left out where nobody knows, and then all of them were. They license nothing.
   */
  readonly pastes?: readonly string[];
  /** The ids of files that were attached for them; left out where there are none. */
  readonly attachments?: readonly string[];
  /** What came by a pipe with them: words of others. */
  readonly piped?: string;
};

/** How a turn ended while nobody looked. */
export type UndeliveredAnswer = {
  readonly turn: string;
  readonly state: FinalState;
  readonly text: string;
};
