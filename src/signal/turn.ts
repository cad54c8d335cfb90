import type { Call } from "./action.ts";
import type { PolicyInForce } from "./approval.ts";
import type { CallRounds } from "./call-round.ts";
import type { Consensus } from "./consensus.ts";
import type { Facts } from "./facts.ts";
import type { Message } from "./message.ts";
import type { ModelRoute } from "./model-route.ts";
import type { Signal } from "./signal.ts";
import type { ToldState } from "./told-state.ts";

export type OpenState = "queued" | "thinking" | "judging" | "suspended" | "acting";
export type FinalState = "answered" | "blocked" | "failed" | "stopped";
export type TurnState = OpenState | FinalState;

/** The work that follows from one signal. It is saved to disk at each change of state. */
export type Turn = {
  readonly id: string;
  readonly session: string;
  /**
   * The turn of another session of which this is the copy in a fork: what it changed is kept under that one.
   */
  readonly copyOf?: string;
  readonly signal: Signal;
  readonly state: TurnState;
  /** Counts the model's answers: an answer with its calls is one level. */
  readonly depth: number;
  /** The depth at which the turn stops and asks the person whether to continue. */
  readonly depthLimit: number;
  /** Proposals rejected since the last completed step. */
  readonly rejections: number;
  /** The messages of this turn, starting with the person's words. */
  readonly messages: readonly Message[];
  /** What the program told the model beside them. */
  readonly told?: readonly ToldState[];
  /** The names of the tools that were declared in it last, in their order. */
  readonly declared?: readonly string[];
  /**
   * How many results the turns of the session before it gave: its own have the numbers behind them. Missing
   * where an older version began it.
   */
  readonly resultsBefore?: number;
  /** The calls of the last answer that have no result yet, in order. */
  readonly pending: readonly Call[];
  /** The digest of the action that is running: its intent is in the journal, its outcome is not. Null outside `acting`. */
  readonly running: string | null;
  /** The person's approval of a suspended action; null while the question is open. */
  readonly approved: {
    readonly digest: string;
    readonly by: string;
    readonly codes: readonly string[];
    /** What was in force when the owner was asked; another policy voids the yes. Missing where an older version asked. */
    readonly policy?: PolicyInForce;
  } | null;
  /** What the first of the pending calls got so far, where it is made in rounds. */
  readonly rounds?: CallRounds | undefined;
  /** What chose the models that it asks; null where the order of the settings holds, missing before the first answer is asked for. */
  readonly route?: ModelRoute | null;
  /** What other models said to the critical calls of the last answer; missing where none was asked. */
  readonly consensus?: Consensus;
  /** The answer or the reason; set once the state is final. */
  readonly text: string;
  /** Why the turn ended, as a kebab-case code: `over-budget`, `no-provider`, `denied`, …; empty while it is open. */
  readonly code: string;
  /** The provider for which its words were held back: `/send` sends them to this one. */
  readonly heldFor?: string;
  readonly startedAt: number;
  readonly updatedAt: number;
};

/** The code of a turn whose words were given to the turn that ran. */
export const joinedCode = "joined";

/** The code of a turn that was stopped once it had begun. */
export const stoppedCode = "stopped";

/**
 * The code of a turn that ended before it began: its words went back to who said them, and no model is told
 * of them.
 */
export const takenBackCode = "taken-back";

/** The code of a turn whose words were said in a chat that is not linked any more. */
export const unlinkedCode = "unlinked";

/**
 * What its owner took away since, on which a turn stood: the code with which it ends, and the reason as a
 * sentence without its point.
 */
export type LostRight = { readonly code: string; readonly reason: string };

/**
 * Whether the words of a turn count as said in it: not those that another turn took in, nor those that went
 * back.
 */
export function countsAsSaid({ code }: Pick<Turn, "code">): boolean {
  return code !== joinedCode && code !== takenBackCode;
}

/** Every state that a turn can be in. */
export const turnStates: readonly TurnState[] = [
  "queued",
  "thinking",
  "judging",
  "suspended",
  "acting",
  "answered",
  "blocked",
  "failed",
  "stopped",
];

export function isTurnState(word: string): word is TurnState {
  return turnStates.some((state) => state === word);
}

export function isFinal(state: TurnState): state is FinalState {
  return state === "answered" || state === "blocked" || state === "failed" || state === "stopped";
}

/** A turn without what the program told in it. */
export function withoutTold({ told: _, ...turn }: Turn): Turn {
  return turn;
}

/**
 * Whether the last that was thought in a turn needed no model: its answer is what tools gave, as they gave
 * it.
 */
export function isByReflex({ messages }: Pick<Turn, "messages">): boolean {
  const last = messages.findLast((message) => message.role === "assistant");
  return last?.role === "assistant" && last.provider === "reflex";
}

/** Who a turn is for, as the judge sees it. */
export function turnOrigin({ signal, session }: Turn): Facts["origin"] {
  const startedBy = signal.person === "nobody" ? "nobody" : "person";
  return { person: signal.person, source: signal.source, session, startedBy };
}
