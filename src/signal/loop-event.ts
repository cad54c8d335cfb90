import type { Json } from "../text/json.ts";
import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { FileDiff } from "./file-diff.ts";
import type { Offer } from "./offer.ts";
import type { TraceLine, Verdict } from "./verdict.ts";

type EventOf<Name extends string, Detail> = Detail & {
  readonly type: Name;
  readonly session: string;
  readonly turn: string;
};

/** An event that the loop sends to the clients of a session during a turn. The last four end the turn. */
export type LoopEvent =
  | EventOf<"accepted", { readonly id: string }>
  /** `text` is a notice to the waiting person, such as that a provider does not respond; usually empty. */
  | EventOf<"thinking", { readonly depth: number; readonly text: string }>
  /** A piece of the streamed answer. `reset` withdraws all pieces since the last `thinking`. */
  | EventOf<"text", { readonly text: string; readonly reset: boolean }>
  /** The last lines of what the model thinks before it answers; each such event replaces the one before. */
  | EventOf<"thought", { readonly text: string }>
  | EventOf<"proposed", { readonly action: Action; readonly call: string }>
  | EventOf<
      "verdict",
      {
        readonly call: string;
        readonly verdict: Verdict["decision"];
        readonly reason: string;
        readonly effects: readonly Effect[];
        readonly trace: readonly TraceLine[];
        /** How many gates there are, and microseconds that judging took. */
        readonly gates?: number;
        readonly microseconds?: number;
      }
    >
  /** The only event that carries a token. It goes to proved clients of the owner only. */
  | EventOf<
      "approval-required",
      {
        readonly token: string;
        /** Names the question, and answers nothing; left out by daemons that do not say. */
        readonly question?: string;
        /** The folder that the session works in; null without one. */
        readonly workspace: string | null;
        readonly action: Action;
        readonly effects: readonly Effect[];
        readonly trace: readonly TraceLine[];
        readonly reason: string;
        /** What a yes changes in files; left out where nothing is known of it, and where a question is asked again. */
        readonly changes?: readonly FileDiff[];
        readonly expiresAt: number;
        /** The values that a yes may endorse for the rest of the turn; left out where the question is not about the origin of a value. */
        readonly endorsable?: readonly string[];
        /** The rule that would spare this question from now on, in words; left out where there is none. */
        readonly rule?: string;
        /** What else a yes can say, in the order in which it is offered; left out where there is nothing, and by daemons that do not say. */
        readonly offers?: readonly Offer[];
        /** That nearly all questions of this kind are answered yes; left out where they are not. */
        readonly habit?: string;
      }
    >
  /** The last lines of what a running call has printed; each such event replaces the one before. */
  | EventOf<"output", { readonly call: string; readonly text: string }>
  | EventOf<
      "outcome",
      {
        readonly call: string;
        readonly tool: string;
        readonly status: "success" | "error";
        readonly code: string;
        readonly content: Json;
        /** How long it ran; left out of what did not run. */
        readonly milliseconds?: number;
        /** What it changed in files; left out where nothing is known of it. */
        readonly changes?: readonly FileDiff[];
      }
    >
  /**
   * `trace` is that of the answer's own verdict; `plain`: the text is no Markdown, but what tools gave;
   * `code` is `joined` where another turn was given the words, and answers them.
   */
  | EventOf<
      "answered",
      {
        readonly text: string;
        readonly trace?: readonly TraceLine[];
        readonly plain?: true;
        readonly code?: string;
      }
    >
  | EventOf<"blocked" | "failed" | "stopped", { readonly code: string; readonly reason: string }>;

/** Whether a turn ended. */
export function isEnd({ type }: Pick<LoopEvent, "type">): boolean {
  return type === "answered" || type === "blocked" || type === "failed" || type === "stopped";
}

export type LoopListener = (event: LoopEvent) => void;
