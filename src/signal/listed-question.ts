/** The file of the notes folder that questions to the owner are shown in. */
export const questionsFileName = "questions.org";

/**
 * The state of a question as its entry shows it. `WITHDRAWN`: its turn ended in another way, such as by a
 * stop.
 */
export type QuestionState = "OPEN" | "APPROVED" | "DENIED" | "LAPSED" | "WITHDRAWN";

/** A question as its entry shows it. All of its words are masked. */
export type ListedQuestion = {
  readonly id: string;
  readonly state: QuestionState;
  /** Who asks, such as the agent or a job. */
  readonly by: string;
  readonly tool: string;
  readonly session: string;
  /** Unix milliseconds. */
  readonly askedAt: number;
  readonly lapsesAt: number;
  /** The gates that ask. */
  readonly gates: readonly string[];
  /** What it is about; null where that is private. */
  readonly about: QuestionSubject | null;
};

/** What a question is about. */
export type QuestionSubject = {
  readonly title: string;
  /** Each effect in words. */
  readonly effects: readonly string[];
  /** The lines of the question. */
  readonly lines: readonly string[];
  readonly integrity: "agent" | "untrusted";
};
