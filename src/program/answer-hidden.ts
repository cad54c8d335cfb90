import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Io } from "../kernel/io.ts";
import { type HiddenPrompt, hiddenPromptRows } from "../signal/hidden-prompt.ts";
import { describeError } from "../text/describe-error.ts";
import { readUnexpectedLine } from "./read-hidden-line.ts";
import { Screen } from "./screen.ts";

/** Whether a person is there who can be asked for what programs hide. */
export function canAskHidden({ input, errIsTerminal }: Io): boolean {
  return input.isTTY === true && errIsTerminal;
}

/** How the owner is asked on this terminal. */
export type HiddenAsking = {
  readonly screen: Screen;
  /** Whether a prompt is one of this command. */
  readonly sees: (prompt: HiddenPrompt) => boolean;
  /** Reads a line that is not shown; null where the person refuses. */
  readonly read: () => Promise<string | null>;
};

/** Asks the owner for what programs hide, one after the other. The result ends that, once they have pressed Enter where they are being asked. */
export function askForHidden(agent: Agent, { screen, sees, read }: HiddenAsking): () => Promise<void> {
  const open = new Map<string, HiddenPrompt>();
  let asking: Promise<void> | null = null;
  const askOne = async ({ id, program, says }: HiddenPrompt): Promise<void> => {
    screen.program(hiddenPromptRows({ program, says }).join("\n"));
    const line = await read();
    if (!open.delete(id)) screen.program(`${program} asks no longer. Nothing was typed.`);
    else screen.program(textOf(await agent.answerHidden(id, line)));
  };
  const askAll = async (): Promise<void> => {
    for (let [next] = open.values(); next !== undefined; [next] = open.values()) await askOne(next);
    asking = null;
  };
  const leave = agent.askThrough({
    sees,
    open(prompt) {
      if (open.has(prompt.id)) return;
      open.set(prompt.id, prompt);
      asking ??= askAll().catch((error: unknown) => screen.line(`passepartout: ${describeError(error)}`));
    },
    close({ id, program }) {
      if (open.delete(id))
        screen.program(`${program} asks no longer. Press Enter; what you typed goes nowhere.`);
    },
  });
  return async () => {
    leave();
    await asking;
  };
}

function textOf(reply: Awaited<ReturnType<Agent["answerHidden"]>>): string {
  return reply.kind === "turn" ? "" : reply.text;
}

/** Asks on the terminal of a command that reads nothing else; does nothing where nobody is there. */
export function askForHiddenOf(
  io: Io,
  agent: Agent,
  { sees, json }: { readonly sees: HiddenAsking["sees"]; readonly json: boolean },
): () => Promise<void> {
  if (json || !canAskHidden(io)) return async () => undefined;
  const read = (): Promise<string | null> =>
    readUnexpectedLine(io, "Your answer (it is not shown; Enter sends it, Ctrl-C refuses): ");
  return askForHidden(agent, { screen: new Screen(io), sees, read });
}
