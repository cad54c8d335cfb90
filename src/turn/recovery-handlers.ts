import type { PassepartoutError } from "../signal/failure.ts";
import type { Label } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";

/** The skill that made a choice, with the label of its words. */
export type ChoosingSkill = { readonly skill: string; readonly label: Label };

/** The choice of a recovery handler. None can turn a verdict. `by` is left out where the program or its settings chose. */
export type RecoveryChoice = { readonly by?: ChoosingSkill } & (
  | { readonly choice: "skip-signal" }
  | { readonly choice: "use-fallback"; readonly text: string }
  /** `reason`: why, in words of the one who chose. */
  | { readonly choice: "abort-pipeline"; readonly reason?: string }
);

/** A handler that may know what to do about a failure. It cannot turn a verdict. */
export type RecoveryHandler = {
  readonly name: string;
  /** The highest is asked first; handlers of the same priority in the order of their names. */
  readonly priority: number;
  /** Null where the handler has nothing to offer. */
  readonly decide: (
    error: PassepartoutError,
    signal: Signal,
  ) => RecoveryChoice | null | Promise<RecoveryChoice | null>;
};

/** What the handlers choose; null where none has anything to offer. */
export type Recover = (error: PassepartoutError, signal: Signal) => Promise<RecoveryChoice | null>;

/** Asks the handlers in order of priority; the first choice wins. A handler that throws is reported and passed over. */
export function recoverWith(
  handlers: () => readonly RecoveryHandler[],
  report: (message: string) => void,
): Recover {
  return async (error, signal) => {
    const inOrder = handlers().toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
    for (const { name, decide } of inOrder) {
      try {
        const choice = await decide(error, signal);
        if (choice !== null) return choice;
      } catch (fault) {
        report(`The recovery handler ${name} failed: ${String(fault)}`);
      }
    }
    return null;
  };
}

/** The owner's own words in place of an answer that no provider could give (`FALLBACK_ANSWER`). */
export function fallbackAnswer(text: string | null): RecoveryHandler {
  return {
    name: "fallback-answer",
    priority: 100,
    decide: (error) => (text !== null && error.name === "LlmError" ? { choice: "use-fallback", text } : null),
  };
}
