import { wait } from "../../../machine/wait.ts";
import { makeEventLoopYield } from "../../../machine/yield-to-event-loop.ts";
import type { ListedApproval } from "../../../memory/state/approvals.ts";
import { type ListedQuestion, questionsFileName } from "../../../signal/listed-question.ts";
import type { LoopEvent } from "../../../signal/loop-event.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { WriteQuestions } from "./write-questions.ts";

/** The questions as a file of the notes folder, which is written in the background. */
export type QuestionsFile = AsyncDisposable & {
  /** Takes in an event of the loop: what asks, or waits no longer, is written soon. */
  readonly observe: (event: LoopEvent) => void;
  /** The file, or what it shows, may have changed: it is looked at soon. */
  readonly look: () => void;
  /** Looks at once. Resolves when the file is in line with the questions, or cannot be. */
  readonly settle: () => Promise<void>;
};

/** Questions that the file shows: of the open ones, and of those that ended. */
const most = { open: 1000, ended: 50 };
/** Milliseconds that questions which come together get to be written at once. */
const together = 100;
/** A write is followed by so many times its duration without one. */
const restFactor = 4;
/** Milliseconds that the end of the process waits for a write, such as to a folder that hangs. */
const closingPatience = 5000;
/** Looks one after the other in which somebody else changes the file at the same time. */
const mostConflicts = 20;

/** Opens the file. Nothing is read or written before something happens to a question, or somebody looks. */
export function openQuestionsFile(parts: LoopResources): QuestionsFile {
  const file = new QuestionsInFile(parts);
  return {
    observe: (event) => file.observe(event),
    look: () => file.look(),
    settle: () => file.settle(),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

class QuestionsInFile {
  readonly #parts: LoopResources;
  /**
   * The turns with an open question; null before the first look: any turn may have one that a former process
   * asked.
   */
  #asking: Set<string> | null = null;
  /** The questions that this process asked and has not written yet. */
  readonly #unwritten = new Set<string>();
  readonly #known = new Map<string, ListedQuestion>();
  /** What was told of questions that are listed without their words. */
  readonly #told = new Set<string>();
  /** Whether it was told that the file cannot be written. */
  #isProblemTold = false;
  #write: WriteQuestions | null = null;
  #isDue = false;
  #isClosing = false;
  #conflicts = 0;
  #hurry = new AbortController();
  #working: Promise<void> | null = null;

  constructor(parts: LoopResources) {
    this.#parts = parts;
  }

  observe(event: LoopEvent): void {
    const { type, turn } = event;
    if (type === "approval-required") {
      this.#asking?.add(turn);
      if (event.question !== undefined) this.#unwritten.add(event.question);
      this.look();
    } else if (this.#asking?.has(turn) !== false) this.look();
  }

  look(): void {
    this.#isDue = true;
    if (!this.#isClosing) this.#working ??= this.#work();
  }

  async settle(): Promise<void> {
    this.look();
    this.#hurry.abort();
    await this.#working;
  }

  async close(): Promise<void> {
    this.#hurry.abort();
    const isLeft = this.#isDue;
    this.#isClosing = true;
    const last = (this.#working ?? Promise.resolve()).then(() => (isLeft ? this.#lookOnce() : 0));
    const late = new AbortController();
    const isDone = await Promise.race([
      last.then(() => true),
      wait(closingPatience, late.signal).then(() => false),
    ]);
    late.abort();
    if (!isDone) this.#tellProblem("its disk did not answer in time; the next start brings it in line");
    // What fails from here on fails since the state is closed.
    this.#isProblemTold = true;
  }

  async #work(): Promise<void> {
    let rest = together;
    while (this.#isDue && !this.#isClosing) {
      await wait(rest, this.#hurry.signal);
      rest = together + restFactor * (await this.#lookOnce());
    }
    this.#hurry = new AbortController();
    this.#working = null;
  }

  /**
   * Brings the file in line, and returns the milliseconds that this took. Nothing that fails here reaches a
   * question.
   */
  async #lookOnce(): Promise<number> {
    this.#isDue = false;
    const begun = performance.now();
    try {
      await this.#bringInLine();
    } catch (error) {
      this.#tellProblem(describeError(error));
    }
    return performance.now() - begun;
  }

  async #bringInLine(): Promise<void> {
    const { state } = this.#parts;
    const { questions, more } = await state.approvals.listed(most);
    this.#asking = new Set(questions.flatMap((one) => (one.state === "open" ? [one.turn] : [])));
    const { openQuestionWriter } = await import("./write-questions.ts");
    this.#write ??= openQuestionWriter(this.#parts);
    const missing = new Set(this.#unwritten);
    for (const { id, state: now } of questions) if (now === "open") missing.add(id);
    const result = await this.#write({
      key: JSON.stringify([more, questions.map((one) => [one.id, one.state]), [...missing]]),
      isEmpty: questions.length === 0,
      missing,
      more,
      questions: () => this.#list(questions),
    });
    if (result === "written" || result === "absent") {
      for (const id of missing) this.#unwritten.delete(id);
      this.#isProblemTold = false;
      this.#conflicts = 0;
      return;
    }
    const { code, message } = result;
    // An editor holds the file: it is written once it is saved.
    if (code === "locked") return;
    if ((code === "conflict" || code === "busy") && this.#conflicts < mostConflicts) {
      this.#conflicts += 1;
      this.#isDue = true;
      return;
    }
    this.#tellProblem(message);
  }

  /** The questions in their present states. What each is about is read once. */
  async #list(listed: readonly ListedApproval[]): Promise<readonly ListedQuestion[]> {
    const { listQuestion, stateOfEntry } = await import("./list-question.ts");
    const report = (message: string): void => {
      if (!this.#told.has(message)) this.#parts.report(message);
      this.#told.add(message);
    };
    const all: ListedQuestion[] = [];
    const yieldToEventLoop = makeEventLoopYield();
    for (const { id, state, tokenHash } of listed) {
      await yieldToEventLoop();
      const known = this.#known.get(id);
      const approval = known === undefined ? await this.#parts.state.approvals.byHash(tokenHash) : null;
      if (known !== undefined) all.push({ ...known, state: stateOfEntry[state] });
      else if (approval !== null)
        all.push(await listQuestion({ ...this.#parts, report }, approval, { id, state }));
    }
    this.#known.clear();
    for (const question of all) this.#known.set(question.id, question);
    return all;
  }

  /** Says once what is wrong, until the file was written again. */
  #tellProblem(why: string): void {
    if (this.#isProblemTold) return;
    this.#isProblemTold = true;
    this.#parts.report(
      `${questionsFileName} could not be written: ${why.replace(/[.\s]*$/, ".")} Questions are asked as always; passepartout approve lists those that wait.`,
    );
  }
}
