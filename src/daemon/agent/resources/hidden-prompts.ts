import { randomUUID } from "node:crypto";
import type { TypedSecrets } from "../../../settings/typed-secrets.ts";
import {
  type AskHidden,
  answerProblem,
  type HiddenAnswer,
  type HiddenAsker,
  type HiddenPrompt,
} from "../../../signal/hidden-prompt.ts";
import type { SubmitResult } from "../../../turn/submit-result.ts";
import type { Agent } from "./agent.ts";
import type { makeJournalPort } from "./journal-port.ts";

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

/** Opens the prompts of a process. */
export function openHiddenPrompts(
  { hold }: Pick<TypedSecrets, "hold">,
  journal: ReturnType<typeof makeJournalPort>,
): HiddenPrompts {
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
      const found = open.get(id);
      const reply = found === undefined ? over : await answer(found, line, hold);
      const session = found?.prompt.session ?? "";
      await journal({ kind: "note", session, detail: { event: reply.code } });
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

/** Passes an answer on, which counts as a key from then on, and waits until it was typed. */
async function answer(
  { prompt, settle }: OpenPrompt,
  line: string | null,
  hold: TypedSecrets["hold"],
): Promise<Reply> {
  if (line === null) return settle({ kind: "refused" }) ? refused : over;
  const problem = answerProblem(line);
  if (problem !== null) return { kind: "refused", code: "not-an-answer", text: problem };
  hold(prompt.session, line);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  if (!settle({ kind: "typed", line: Buffer.from(line), told: resolve })) return over;
  const untyped = await promise;
  return untyped === null ? typed(prompt.program) : overBecause(untyped);
}

type Reply = Exclude<SubmitResult, { readonly kind: "turn" }>;

function overBecause(text: string): Reply {
  return { kind: "refused", code: "hidden-prompt-over", text };
}

const over = overBecause("That prompt is over. Nothing was typed.");
const refused: Reply = {
  kind: "said",
  code: "hidden-prompt-refused",
  text: "Refused. Nothing was typed; the agent is told that you refused.",
};

function typed(program: string): Reply {
  return { kind: "said", code: "hidden-prompt-answered", text: `Typed into ${program}.` };
}
