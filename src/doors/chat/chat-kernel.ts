import type { ChatStore } from "../../memory/state/chat-store.ts";
import type { OwnerCommand } from "../../perceive/commands.ts";
import type { ChatLinks } from "../../settings/chat-links.ts";
import type { PairingWindow } from "../../settings/pairing-windows.ts";
import type { VaultValue } from "../../settings/vault.ts";
import type { LoopEvent, LoopListener } from "../../signal/loop-event.ts";
import type { Source } from "../../signal/signal.ts";
import type { Clock, Wait } from "../../text/clock.ts";
import type { JsonObject } from "../../text/json.ts";
import type { RunOnce } from "../../turn/idempotent-requests.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";

/** What a chat door may use of the agent: the ways in and out that every client has. */
export type ChatKernel = {
  readonly store: ChatStore;
  readonly links: Pick<ChatLinks, "all" | "fault">;
  /**
   * A group of this door has another id from now on: its links, its session and what waits for it follow.
   * Done again, it changes nothing.
   */
  readonly moveChat: (from: string, to: string) => Promise<void>;
  /** When unknown senders of this door are given codes. */
  readonly pairingWindow: () => PairingWindow;
  /** Reads a key from the vault, if it is unlocked. */
  readonly readKey: (name: string) => VaultValue;
  /** The session of this id or name; opens one of the name where there is none that can be continued. */
  readonly resolveSession: (named: string, source: Source) => Promise<string>;
  readonly knownSession: (named: string) => Promise<string | null>;
  /** Submits words by the sensor `chat-message`. The same `clientId` in a session is one signal. */
  readonly say: (words: ChatWords) => Promise<SubmitResult>;
  /** Keeps a file for the next words of a session; gives the id by which these name it. */
  readonly attach: (file: {
    readonly session: string;
    readonly name: string;
    readonly bytes: Uint8Array;
  }) => Promise<{ readonly ok: true; readonly id: string } | { readonly ok: false; readonly reason: string }>;
  /** Whether a program is set that listens to voice notes. */
  readonly hasTranscriber: boolean;
  /** What a voice note says, as a program of the owner heard it; null where none is set. */
  readonly transcribe: (
    bytes: Uint8Array,
    cancel: AbortSignal,
  ) => Promise<
    { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string } | null
  >;
  /** The turn that words under this id began; null where none did. */
  readonly turnOf: (session: string, clientId: string) => Promise<string | null>;
  readonly runCommand: (command: OwnerCommand, session: string, clientId: string) => Promise<SubmitResult>;
  readonly runOnce: RunOnce;
  readonly stop: (session: string) => Promise<boolean>;
  readonly subscribe: (listener: LoopListener) => () => void;
  /**
   * The status of a turn: its end, or its open question with an empty token; null while it goes on, and for
   * one that is not kept.
   */
  readonly turnStatus: (turn: string) => Promise<LoopEvent | null>;
  /**
   * A token that answers the open question of a turn, which ends a further token of another client; null
   * where none is open.
   */
  readonly tokenOf: (question: {
    readonly turn: string;
    readonly expiresAt: number;
  }) => Promise<string | null>;
  readonly isTurnKept: (turn: string) => Promise<boolean>;
  readonly openQuestions: () => Promise<readonly { readonly turn: string; readonly expiresAt: number }[]>;
  /** How a question ended; null while it waits. */
  readonly endOfQuestion: (question: {
    readonly session: string;
    readonly turn: string;
    readonly expiresAt: number;
  }) => Promise<"yes" | "no" | "lapsed" | "gone" | null>;
  readonly markDelivered: (turn: string) => Promise<void>;
  /**
   * Whether a text holds a passage of a private text. Throws where that is not known: then nothing may leave.
   */
  readonly holdsPrivate: (text: string) => Promise<boolean>;
  /** What the program says, without the names of private files. Throws where these are not known. */
  readonly hidePrivateNames: (text: string) => Promise<string>;
  /** Masks the keys in what is kept. */
  readonly maskKeys: (text: string) => string;
  /** Masks the tokens of questions, wherever in a text they stand. */
  readonly maskTokens: (text: string) => Promise<string>;
  /** False once the state is gone or was replaced: then nothing may be acknowledged. */
  readonly isStateIntact: () => Promise<boolean>;
  /** Tells the owner on the machine, in whatever session. */
  readonly tellOwner: (text: string) => Promise<void>;
  readonly report: (message: string) => void;
  readonly clock: Clock;
  readonly wait: Wait;
  /** A random text of so many characters that people can copy. */
  readonly newCode: (characters: number) => string;
};

/** What doors are set to. */
export type DoorSettings = {
  /** The address of the service, for tests on this machine; null for the service itself. */
  readonly address: string | null;
  /** The variables of proxies. */
  readonly variables: Readonly<Record<string, string | undefined>>;
};

/** How questions are asked in chats. */
export type QuestionSettings = {
  /** Where the owner is told what belongs to no client: a client of the wire, or a door. */
  readonly defaultActuator: string;
  /** Whether a question may stand on the lock screen of a phone. */
  readonly lockScreen: boolean;
  /** The name of the assistant. */
  readonly assistant: string;
};

/** Words that came by a chat. */
export type ChatWords = {
  readonly session: string;
  readonly clientId: string;
  readonly source: Source;
  /** Whether the owner said them; the words of everybody else are content. */
  readonly person: "owner" | "other";
  readonly payload: JsonObject & { readonly text: string };
};
