import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { Json } from "./json.ts";
import type { TraceLine, Verdict } from "./verdict.ts";

type EventOf<Name extends string, Detail> = Detail & {
  readonly type: Name;
  readonly session: string;
  readonly turn: string;
};

/** What the loop tells the clients of a session while a turn goes on. The last four end it. */
export type LoopEvent =
  | EventOf<"accepted", { readonly id: string }>
  /** `text` is a word to the waiting person, such as a provider's silence; empty as a rule. */
  | EventOf<"thinking", { readonly depth: number; readonly text: string }>
  /** A piece of the answer as it streams; `reset` withdraws all pieces since the last `thinking`. */
  | EventOf<"text", { readonly text: string; readonly reset: boolean }>
  | EventOf<"proposed", { readonly action: Action; readonly call: string }>
  | EventOf<
      "verdict",
      {
        readonly call: string;
        readonly verdict: Verdict["decision"];
        readonly reason: string;
        readonly effects: readonly Effect[];
        readonly trace: readonly TraceLine[];
      }
    >
  /** The only place that shows a token; to proved clients of the owner alone. */
  | EventOf<
      "approval-required",
      {
        readonly token: string;
        readonly action: Action;
        readonly effects: readonly Effect[];
        readonly trace: readonly TraceLine[];
        readonly reason: string;
        readonly expiresAt: number;
      }
    >
  | EventOf<
      "outcome",
      {
        readonly call: string;
        readonly tool: string;
        readonly status: "success" | "error";
        readonly code: string;
        readonly content: Json;
      }
    >
  | EventOf<"answered", { readonly text: string }>
  | EventOf<"blocked" | "failed" | "stopped", { readonly code: string; readonly reason: string }>;

export type LoopListener = (event: LoopEvent) => void;
