import type { HiddenAnswer } from "../../../signal/hidden-prompt.ts";
import type { Caller, Outcome, OutputView } from "../../../signal/tool.ts";
import { withNotes } from "../../shell/later-guard.ts";
import type { SecretPrompt } from "../../shell/secret-prompt.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import type { TerminalStep } from "../../shell/terminal-process.ts";
import type { TerminalProgram, Terminals } from "../../shell/terminals.ts";
import { privilegesNote } from "../../steward/find-privileges.ts";

export type StepRequest = {
  readonly ports: Pick<ShellPorts, "askHidden" | "mask">;
  readonly terminals: Terminals;
  readonly caller: Caller;
  /** What is typed; null where the program was just started. */
  readonly input: string | null;
  readonly cancel: AbortSignal;
  readonly view: OutputView | undefined;
};

/** Where a program is after a call. */
export type ProgramStep = { readonly outcome: Outcome; readonly isRunning: boolean };

/** Hidden prompts that the owner answers in one call. */
const mostAnswers = 10;

/** What a program shows once it waits again, or its outcome where it ended. Where it hides what is typed, the owner is asked. */
export async function stepOn(program: TerminalProgram, request: StepRequest): Promise<ProgramStep> {
  const { terminals, caller, input, cancel, view } = request;
  let step = await orEnd(program, program.terminal.step(input, cancel, view));
  const notes: string[] = [];
  for (let answers = 0; answers < mostAnswers && asks(step, input); answers += 1) {
    const answer = await askOwner(program, request);
    const note = answer.kind === "typed" ? await typeAnswer(program, answer) : unanswered[answer.kind];
    notes.push(note);
    if (answer.kind === "refused" || answer.kind === "nobody") break;
    step = await orEnd(program, program.terminal.settle(cancel, view));
    if (note !== answered) break;
  }
  if (!step.isWaiting) {
    const outcome = await program.life;
    terminals.release(caller.session, program);
    const unprivileged = privilegesNote(outcome);
    if (unprivileged !== null) notes.push(unprivileged);
    return { outcome: notes.length === 0 ? outcome : withNotes(outcome, notes), isRunning: false };
  }
  return { outcome: outcomeOf(program, { step, input, notes }), isRunning: true };
}

/** A step, or the end of the program where that comes first. */
function orEnd<T>({ life }: TerminalProgram, step: Promise<T>): Promise<T | { readonly isWaiting: false }> {
  return Promise.race([step, life.then(() => ({ isWaiting: false }) as const)]);
}

/** Whether it hides what is typed, and not what the model wanted to type there. */
function asks(step: TerminalStep, input: string | null): boolean {
  return step.isWaiting && step.prompt.kind === "hidden" && (step.untyped === "" || step.untyped !== input);
}

async function askOwner(
  program: TerminalProgram,
  { ports, caller, cancel }: StepRequest,
): Promise<HiddenAnswer> {
  const { turn, session, person, startedBy } = caller;
  if (ports.askHidden === undefined || person !== "owner" || startedBy !== "person")
    return { kind: "nobody" };
  if (program.refusedIn === turn) return { kind: "refused" };
  const over = new AbortController();
  void program.life.finally(() => over.abort());
  const prompt = {
    session,
    turn,
    program: shortName(program.name),
    says: ports.mask(program.terminal.question),
  };
  const answer = await ports.askHidden(prompt, AbortSignal.any([cancel, over.signal]));
  if (answer.kind === "refused") program.refusedIn = turn;
  return answer;
}

/** A name that fits into a sentence. */
function shortName(name: string): string {
  return (
    name
      .slice(name.lastIndexOf("/") + 1)
      .replaceAll(/[^\w.+-]+/g, "_")
      .slice(0, 40) || "program"
  );
}

/** Types what the owner answered, tells them where it was not typed, and gives what the model is told of it. */
async function typeAnswer(
  { name, terminal }: TerminalProgram,
  { line, told }: Extract<HiddenAnswer, { kind: "typed" }>,
): Promise<string> {
  let isTyped = false;
  const problem = `${shortName(name)} does not hide what is typed any more, so nothing was typed.`;
  try {
    isTyped = await terminal.typeHidden(line);
  } finally {
    told(isTyped ? null : problem);
  }
  return isTyped ? answered : `The owner answered what it asked in secret, but ${problem}`;
}

const answered = "The owner answered what it asked in secret. You do not see the answer, and need not.";
const unanswered = {
  refused: "The owner was asked for it and refused.",
  nobody: "Nobody is there who could be asked for it.",
  over: "It stopped asking before the owner answered.",
} as const;

type Waiting = {
  readonly step: Extract<TerminalStep, { isWaiting: true }>;
  readonly input: string | null;
  /** The outcome of asking the owner. */
  readonly notes: readonly string[];
};

/** What a program that waits shows, and what may be typed next. */
function outcomeOf(program: TerminalProgram, { step, input, notes }: Waiting): Outcome {
  const { text, prompt, untyped } = step;
  const secret = prompt.kind === "none" ? null : secretNote(program, prompt);
  if (untyped !== "" && untyped === input) {
    const message =
      secret ?? `${program.name} hid what is typed for a moment, so nothing was typed. Type it again.`;
    return { status: "error", code: "secret-prompt", message };
  }
  const left =
    untyped === "" ? [] : [`The last ${untyped.length} characters of what was to be typed were not typed.`];
  const content = { stdout: text, stderr: "", running: program.name };
  return withNotes({ status: "success", content }, [...left, ...notes, secret ?? runsNote(program)]);
}

function runsNote({ name, trial }: TerminalProgram): string {
  const where = trial === null ? "" : " What it changes reaches the workspace only once it has ended.";
  return `${name} runs on a terminal and waits, or works without a word. The model types into it with the tool terminal; its owner says what, or ends it by /stop.${where}`;
}

/** Said of a prompt that does not show what is typed, and where nobody can tell whether there is one. */
function secretNote({ name }: TerminalProgram, prompt: SecretPrompt): string {
  const found =
    prompt.kind === "unknown"
      ? `Whether ${name} asks for a secret cannot be told, since ${prompt.reason}.`
      : `${name} asks for a secret: what is typed is not shown.`;
  return `${found} Only the owner may answer that, never you, and nothing is typed. Tell the owner, or end it by typing \\u0003.`;
}
