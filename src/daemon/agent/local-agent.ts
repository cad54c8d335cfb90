import type { Sandbox } from "../../act/sandbox/bubblewrap.ts";
import type { Interpreter } from "../../act/sandbox/jail.ts";
import type { OutboxAnswer } from "../../memory/state/outbox.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Approval } from "../../signal/approval.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Signal, Source } from "../../signal/signal.ts";
import type { RunOnce } from "../../turn/idempotent-requests.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import type { AnswerDetails } from "../../wire/codec/loop-events.ts";
import type { Agent } from "./resources/agent.ts";
import type { DoorChannels } from "./resources/door-channels.ts";
import type { HiddenPrompts } from "./resources/hidden-prompts.ts";
import type { OpenEditors } from "./resources/open-editors.ts";
import type { Untold } from "./resources/untold.ts";
import type { ReviewInbox } from "./review/review-inbox.ts";
import type { ReceivedFile, ReceivedResult } from "./tools/attach-bytes.ts";
import type { Transcript } from "./tools/transcribe.ts";

/** How an agent is started in this process. */
export type AgentStart = StartContext & {
  /**
   * Finds the sandbox of commands: whoever opens many agents in one process finds it once. Default: it is
   * tried at the start of each.
   */
  readonly findSandbox?: () => Promise<Sandbox | null>;
  /** Gives the interpreter of jails, compiled once. Default: each agent compiles one at its first jail. */
  readonly interpreter?: () => Promise<Interpreter>;
};

/** The agent in this process: what a command uses, and what serving clients of the wire needs beside it. */
export type LocalAgent = Omit<Agent, "openSession" | "undelivered"> &
  AgentSessions &
  AgentInput &
  AgentQuestions & {
    /** What this start found of work that a former process was killed in, and did about it. */
    readonly recovered: readonly string[];
    /** Hears what the owner is told in whatever session. Returns what ends that. */
    readonly listenToNews: Untold["listen"];
    /** Tells the owner something on this machine, in whatever session is open next. */
    readonly tellHere: Untold["tellHere"];
    /** Keeps a file that came by a door for the next words of a session. */
    readonly attachBytes: (file: ReceivedFile) => Promise<ReceivedResult>;
    /** What a voice note says; null where no program is set that listens. */
    readonly transcribe: (bytes: Uint8Array, cancel: AbortSignal) => Promise<Transcript>;
    /** The turn that a client's id began in a session; null where none did. */
    readonly turnOf: (session: string, clientId: string) => Promise<string | null>;
    /** Has a door tell the owner what is news. */
    readonly divertNews: Untold["divert"];
    /** Where doors say that they are open. */
    readonly doorChannels: Pick<DoorChannels, "attach">;
    /**
     * Whether a text holds a passage of a private text. Throws where that is not known: then nothing may
     * leave.
     */
    readonly holdsPrivate: (text: string) => Promise<boolean>;
    /** What the program says, without the names of private files. */
    readonly hidePrivateNames: (text: string) => Promise<string>;
    /** Notes in the journal that something came that is never acted on. */
    readonly recordEvent: (event: string, session: string) => Promise<void>;
    /** A client came or left that hidden prompts may be shown to. */
    readonly lookAround: HiddenPrompts["lookAround"];
    /** The connected editors, which are asked about their unsaved buffers. */
    readonly editors: Pick<OpenEditors, "join" | "answer">;
    /** What is proposed to the owner in the background. */
    readonly review: ReviewInbox;
    readonly beat: Loop["beat"];
    /** Brings the index over the notes up to date in the background, and keeps it so; takes up the jobs that a former process left. */
    readonly startUpkeep: () => Promise<void>;
    /** False once the state folder that was opened is not in its place any more: then nothing can be kept. */
    readonly isStateIntact: () => Promise<boolean>;
    /** Resolves, with a message for the owner, when a beat or a write finds the state gone. */
    readonly stateGone: Promise<string>;
    readonly report: (message: string) => void;
    /** Whether a program on a terminal or a session of code lives in this process. */
    readonly runsPrograms: () => boolean;
    readonly pauseTurns: Loop["pauseTurns"];
    readonly newId: () => string;
    readonly now: () => number;
  };

/** The sessions of a local agent, and the answers that wait in them. */
export type AgentSessions = {
  /** Opens the latest session of the workspace, or a new one. `workspace` is the client's folder; where it is not given, that of this process. */
  readonly openSession: (wanted: {
    readonly name: string | null;
    readonly latest: boolean;
    readonly source: Source;
    readonly workspace?: string | null;
  }) => Promise<string>;
  /** The session of that id or name, or a new one of that name. A session in which an unproved client spoke is not continued. */
  readonly resolveSession: (
    named: string,
    client: { readonly source: Source; readonly workspace: string | null },
  ) => Promise<string>;
  /** The session of that id or name that can be continued; null where there is none. Nothing is opened or followed. */
  readonly knownSession: (named: string) => Promise<string | null>;
  /** The session of a turn; null for a turn that is not kept. */
  readonly sessionOf: (turn: string) => Promise<string | null>;
  readonly figures: (session: string) => Promise<Omit<AnswerDetails, "source" | "trace">>;
  readonly markDelivered: (turn: string) => Promise<void>;
  /** The answers of a session that nobody saw yet. */
  readonly undelivered: (session: string) => Promise<readonly OutboxAnswer[]>;
  /**
   * The turns of a session whose end nobody saw yet, in the order of their ends, with those whose words
   * joined them.
   */
  readonly unseenEnds: (session: string) => Promise<readonly string[]>;
};

/** The ways into a local agent. */
export type AgentInput = Pick<Agent, "say" | "runCommand"> & {
  /** Submits a signal, or runs the command that it is. */
  readonly handleSignal: (signal: Signal) => Promise<SubmitResult>;
  readonly runOnce: RunOnce;
};

/** The questions that wait for the owner. */
export type AgentQuestions = Pick<Agent, "findQuestion" | "unsentQuestions"> & {
  readonly openQuestions: () => Promise<readonly Pick<Approval, "turn" | "expiresAt">[]>;
  /** The status of a turn as an event: its end, or its open question with a further token; null while it goes on. */
  readonly turnStatus: (turn: string) => Promise<LoopEvent | null>;
  /**
   * The same, with an empty token: a further one would end that of another client, and is asked for when it
   * is used.
   */
  readonly statusWithoutToken: (turn: string) => Promise<LoopEvent | null>;
  /** What a turn began with, masked; null for a turn that is not kept. */
  readonly wordsOf: (turn: string) => Promise<string | null>;
};
