import type { PassepartoutError } from "../signal/failure.ts";
import type { Signal } from "../signal/signal.ts";

/** The choice of a recovery handler. None can turn a verdict. */
export type RecoveryChoice =
  | { readonly choice: "skip-signal" }
  | { readonly choice: "use-fallback"; readonly text: string }
  | { readonly choice: "abort-pipeline" };

/** A handler that may know what to do about a failure. It cannot turn a verdict. */
export type RecoveryHandler = {
  readonly name: string;
  /** The highest is asked first; handlers of the same priority in the order of their names. */
  readonly priority: number;
  /** Null where the handler has nothing to offer. */
  readonly decide: (error: PassepartoutError, signal: Signal) => RecoveryChoice | null;
};

/** Asks the handlers in order of priority; the first choice wins. A handler that throws is reported and passed over. */
export function recoverWith(
  handlers: readonly RecoveryHandler[],
  report: (message: string) => void,
): RecoveryHandler["decide"] {
  const inOrder = handlers.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  return (error, signal) => {
    for (const { name, decide } of inOrder) {
      try {
        const choice = decide(error, signal);
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
