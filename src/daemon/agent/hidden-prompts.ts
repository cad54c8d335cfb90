import { randomUUID } from "node:crypto";
import {
  type AskHidden,
  answerProblem,
  type HiddenAnswer,
  type HiddenAsker,
  type HiddenPrompt,
} from "../../signal/hidden-prompt.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Agent } from "./agent.ts";

/** The prompts of programs that hide what is typed, while they wait for the owner. Nothing of them is kept. */
export type HiddenPrompts = Pick<Agent, "answerHidden"> & {
  readonly ask: AskHidden;
  /** Has a client ask the owner, until the result is called. */
  readonly askThrough: (asker: HiddenAsker) => () => void;
  /** A client came or left: one that sees a prompt now shows it; a prompt that nobody sees any more is given up. */
  readonly lookAround: () => void;
};

type OpenPrompt = {
  readonly prompt: HiddenPrompt;
  readonly shownBy: Set<HiddenAsker>;
  /** False where it is settled already. */
  readonly settle: (answer: HiddenAnswer) => boolean;
};

/** What answers need beside the prompts. */
export type HiddenPromptParts = {
  /** Makes a line count as a key from now on. */
  readonly hold: (session: string, line: string) => void;
  readonly record: (event: string, session: string) => Promise<void>;
};

/** Opens the prompts of a process. */
export function openHiddenPrompts({ hold, record }: HiddenPromptParts): HiddenPrompts {
  const open = new Map<string, OpenPrompt>();
  const askers = new Set<HiddenAsker>();
  const show = ({ prompt, shownBy, settle }: OpenPrompt): void => {
    const seeing = [...askers].filter((asker) => asker.sees(prompt));
    for (const asker of seeing) {
      shownBy.add(asker);
      asker.open(prompt);
    }
    if (seeing.length === 0) settle({ kind: "nobody" });
  };
  const lookAround = (): void => open.forEach(show);
  const answer = async (id: string, line: string | null): Promise<SubmitResult> => {
    const problem = line === null ? null : answerProblem(line);
    if (problem !== null) return { kind: "refused", code: "not-an-answer", text: problem };
    const found = open.get(id);
    if (found === undefined) return over;
    const { prompt, settle } = found;
    if (line === null) return settle({ kind: "refused" }) ? refused : over;
    hold(prompt.session, line);
    const { promise, resolve } = Promise.withResolvers<string | null>();
    settle({ kind: "typed", line: Buffer.from(line), told: resolve });
    const untyped = await promise;
    return untyped === null ? typed(prompt.program) : overBecause(untyped);
  };
  return {
    async ask(asked, isOver) {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<HiddenAnswer>();
      const settle: OpenPrompt["settle"] = (given) => {
        const isOpen = open.delete(id);
        if (isOpen) resolve(given);
        return isOpen;
      };
      const prompt = { ...asked, id };
      const shownBy = new Set<HiddenAsker>();
      const end = (): void => void settle({ kind: "over" });
      open.set(id, { prompt, shownBy, settle });
      isOver.addEventListener("abort", end, { once: true });
      if (isOver.aborted) end();
      else show({ prompt, shownBy, settle });
      const given = await promise;
      isOver.removeEventListener("abort", end);
      for (const asker of shownBy) asker.close(prompt);
      return given;
    },
    async answerHidden(id, line) {
      const session = open.get(id)?.prompt.session ?? "";
      const reply = await answer(id, line);
      if (reply.kind !== "turn") await record(reply.code, session);
      return reply;
    },
    askThrough(asker) {
      askers.add(asker);
      lookAround();
      return () => {
        askers.delete(asker);
        lookAround();
      };
    },
    lookAround,
  };
}

function overBecause(text: string): SubmitResult {
  return { kind: "refused", code: "hidden-prompt-over", text };
}

const over = overBecause("That prompt is over. Nothing was typed.");
const refused: SubmitResult = {
  kind: "said",
  code: "hidden-prompt-refused",
  text: "Refused. Nothing was typed; the agent is told that you refused.",
};

function typed(program: string): SubmitResult {
  return { kind: "said", code: "hidden-prompt-answered", text: `Typed into ${program}.` };
}
