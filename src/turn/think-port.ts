import type { ParsedAnswer } from "../reason/parse/parse-answer.ts";
import type { PassepartoutError } from "../signal/failure.ts";
import type { Json } from "../signal/json.ts";
import type { Label } from "../signal/label.ts";
import type { Turn } from "../signal/turn.ts";

/** The model's answer, with the join of the labels of all that went into it; or why there is no answer. */
export type ThinkResult =
  | {
      readonly kind: "thought";
      readonly thought: ParsedAnswer;
      readonly text: string;
      readonly provider: string;
      readonly raw: Json;
      readonly label: Label;
    }
  | { readonly kind: "failure"; readonly code: string; readonly error: PassepartoutError };

/** Callbacks for what happens while a model answers. */
export type ThinkHooks = {
  /** A piece of the answer that may be shown. */
  readonly onText: (text: string) => void;
  /** All pieces so far are withdrawn. */
  readonly onReset: (reason: string) => void;
  /** A word to the waiting person, such as that a provider is silent. */
  readonly onNotice: (text: string) => void;
};

/** Thinks about a turn. A failure is a value; a throw is a crash of the stage. */
export type Think = (turn: Turn, hooks: ThinkHooks, cancel: AbortSignal) => Promise<ThinkResult>;
