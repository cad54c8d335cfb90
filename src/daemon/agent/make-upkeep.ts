import type { LoopEvent } from "../../signal/loop-event.ts";
import { describeError } from "../../text/describe-error.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import type { AgentJobs } from "../jobs/agent-jobs.ts";
import type { LocalAgent } from "./local-agent.ts";
import type { QuestionsFile } from "./questions/questions-file.ts";
import type { GuardedState } from "./resources/guard-state.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { compactUnlessPaused, isEmbeddingPaused } from "./upkeep/upkeep-of-agent.ts";

/** Milliseconds that running turns get to end when the agent is closed. */
const closingPatience = 5000;

const endings: ReadonlySet<LoopEvent["type"]> = new Set(["answered", "blocked", "failed", "stopped"]);

type UpkeepParts = {
  readonly loop: Loop;
  readonly jobs: AgentJobs;
  readonly guarded: GuardedState;
  readonly questions: QuestionsFile;
};

/** The work that is due at each beat, and at the end. */
export function makeUpkeep(
  { state, notes, semanticIndex, jails, skills, report }: LoopResources,
  { loop, jobs, guarded, questions }: UpkeepParts,
): Pick<LocalAgent, "beat" | "startUpkeep" | "drain" | typeof Symbol.asyncDispose> {
  const close = async (): Promise<void> => {
    await jobs.stop();
    await loop.drain(closingPatience);
    await questions[Symbol.asyncDispose]();
    await skills[Symbol.asyncDispose]();
    await jails[Symbol.asyncDispose]();
    await semanticIndex?.[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
    await compactUnlessPaused(state);
    await state.prune();
    await state[Symbol.asyncDispose]();
  };
  const closing: { done: Promise<void> | null } = { done: null };
  const cannotFill = (error: unknown): void =>
    report(`Vectors of what changed could not be begun: ${describeError(error)}`);
  // What was said gets its vectors when the turn has ended; notes, where nobody watches them, while the model
  // thinks.
  const fill = async (): Promise<void> => {
    if (semanticIndex !== null && !(await isEmbeddingPaused(state))) semanticIndex.startFilling();
  };
  loop.subscribe(({ type }) => {
    if (type === "accepted" || endings.has(type)) void fill().catch(cannotFill);
  });
  return {
    async beat() {
      if (!(await guarded.isIntact())) {
        guarded.declareGone();
        return;
      }
      await skills.refresh();
      await loop.beat();
      await jobs.beat();
      questions.look();
    },
    async drain(milliseconds) {
      await jobs.stop();
      await loop.drain(milliseconds);
    },
    async startUpkeep() {
      // Vectors of changed notes are made at once, and what a provider refused is tried again at a beat.
      notes.onSynced(() => void fill().catch(cannotFill));
      notes.onSynced(questions.look);
      notes.onLock(questions.look);
      questions.look();
      notes.watch();
      await jobs.start();
    },
    [Symbol.asyncDispose]: () => {
      closing.done ??= close();
      return closing.done;
    },
  };
}
