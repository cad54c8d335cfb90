/** How one test ended. `name` is the test's own name after those of the tests around it, joined by " › "; `file` is relative to the root. */
export type TestOutcome = {
  readonly file: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped, in the test's words; empty where it was not. */
  readonly reason: string;
};
