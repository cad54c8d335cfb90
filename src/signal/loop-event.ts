import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { Json } from "./json.ts";
import type { TraceLine, Verdict } from "./verdict.ts";

type In<Name extends string, Detail> = Detail & {
  readonly event: Name;
  readonly session: string;
  readonly turn: string;
};

/** What the loop tells the clients of a session while a turn goes on. The last four end it. */
export type LoopEvent =
  | In<"accepted", { readonly id: string }>
  /** `text` is a word to the waiting person, such as a provider's silence; empty as a rule. */
  | In<"thinking", { readonly depth: number; readonly text: string }>
  /** A piece of the answer as it streams; `reset` withdraws all pieces since the last `thinking`. */
  | In<"text", { readonly text: string; readonly reset: boolean }>
  | In<"proposed", { readonly action: Action; readonly call: string }>
  | In<
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
  | In<
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
  | In<
      "outcome",
      {
        readonly call: string;
        readonly tool: string;
        readonly status: "success" | "error";
        readonly code: string;
        readonly content: Json;
      }
    >
  | In<"answered", { readonly text: string }>
  | In<"blocked" | "failed" | "stopped", { readonly code: string; readonly reason: string }>;

export type LoopListener = (event: LoopEvent) => void;
