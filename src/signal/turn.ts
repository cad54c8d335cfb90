import type { Call } from "./action.ts";
import type { Message } from "./message.ts";
import type { Signal } from "./signal.ts";

export type OpenState = "queued" | "thinking" | "judging" | "suspended" | "acting";
export type FinalState = "answered" | "blocked" | "failed" | "stopped";
export type TurnState = OpenState | FinalState;

/** What follows from one signal, on disk at each arrow between its states. */
export type Turn = {
  readonly id: string;
  readonly session: string;
  readonly signal: Signal;
  readonly state: TurnState;
  /** One answer with its calls is one depth. */
  readonly depth: number;
  /** The depth at which the person is asked whether to go on. */
  readonly depthLimit: number;
  /** Proposals refused since the last step that was done. */
  readonly rejections: number;
  /** This turn's own messages, the person's words first. */
  readonly messages: readonly Message[];
  /** Calls of the last answer that have no result yet, in order. */
  readonly pending: readonly Call[];
  /** Digest of the action whose intent is in the journal and whose outcome is not; null outside `acting`. */
  readonly running: string | null;
  /** The person's word on a suspended action; null while it is open. */
  readonly approved: {
    readonly digest: string;
    readonly by: string;
    readonly codes: readonly string[];
  } | null;
  /** The answer or the reason, once the state is final. */
  readonly text: string;
  /** Why it ended so, as a kebab-case word: `over-budget`, `no-provider`, `denied`, …; empty while open. */
  readonly code: string;
  readonly startedAt: number;
  readonly updatedAt: number;
};

export function isFinal(state: TurnState): state is FinalState {
  return state === "answered" || state === "blocked" || state === "failed" || state === "stopped";
}
