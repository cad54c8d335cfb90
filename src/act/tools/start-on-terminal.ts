import { randomUUID } from "node:crypto";
import type { Effect } from "../../signal/effect.ts";
import { canonicalJson, type JsonObject } from "../../signal/json.ts";
import type { Label } from "../../signal/label.ts";
import type { Caller, Outcome, OutputView, Preparation } from "../../signal/tool.ts";
import { execute } from "../shell/execute.ts";
import { withNotes } from "../shell/later-guard.ts";
import { terminalProblem } from "../shell/make-terminal.ts";
import type { CommandPlan, PlanEnvironment } from "../shell/plan.ts";
import type { ShellProgram } from "../shell/program.ts";
import { isInteractive } from "../shell/programs/interactive.ts";
import type { SecretPrompt } from "../shell/secret-prompt.ts";
import type { Execution, ShellPorts } from "../shell/shell-ports.ts";
import { TerminalProcess } from "../shell/terminal-process.ts";
import type { TerminalProgram, Terminals } from "../shell/terminals.ts";
import { withinLimits } from "../trial/limits.ts";
import { trialBounds } from "../trial/trials.ts";
import type { ToolCall } from "./define-tool.ts";
import { nothingKept } from "./prepare-tried.ts";

/** A call of the shell. `onTerminal`: it is to run on a terminal; else only a program that talks with a person does. */
export type ShellRequest = ToolCall<ShellPorts> & { readonly onTerminal?: boolean };

/** A command line that was planned and labelled. */
export type PreparedLine = {
  readonly args: JsonObject;
  readonly cmd: string;
  readonly plan: CommandPlan;
  readonly given: PlanEnvironment;
  readonly labelOfInputs: Label;
  readonly resultLabel: Label;
  readonly overlaid: boolean;
};

/** Whether a line runs on a terminal: it need not, it does, none can be made (and why), or the terminal of the session is taken. */
export type FoundTerminal =
  | { readonly kind: "not-needed" | "there" }
  | { readonly kind: "missing"; readonly note: string }
  | { readonly kind: "refused"; readonly message: string };

/** Finds out whether a line needs a terminal, and whether there is one for it. */
export function findTerminal(
  program: ShellProgram,
  { ports, caller, onTerminal = false }: ShellRequest,
): FoundTerminal {
  if (!onTerminal && !talks(program)) return { kind: "not-needed" };
  const missing = problemOf(program, ports, caller);
  if (missing !== null) return { kind: "missing", note: `It ran without a terminal: ${missing}.` };
  const taken = ports.terminals?.problem(caller.session) ?? null;
  return taken === null ? { kind: "there" } : { kind: "refused", message: taken };
}

function talks(program: ShellProgram): boolean {
  const [command] = commandsOf(program);
  return isAlone(program) && command !== undefined && isInteractive(command.argv);
}

function commandsOf(program: ShellProgram) {
  return program.kind === "plain" ? program.pipelines.flatMap(({ commands }) => commands) : [];
}

/** A line that is not understood is one bash, and so one program. */
function isAlone(program: ShellProgram): boolean {
  const commands = commandsOf(program);
  return program.kind === "opaque" || (commands.length === 1 && commands[0]?.redirects.length === 0);
}

function problemOf(program: ShellProgram, ports: ShellPorts, caller: Caller): string | null {
  if (ports.sandbox === null)
    return "there is no sandbox here (bubblewrap), and only that ends all that a program on a terminal starts";
  if (ports.terminals === undefined || ports.resolve === false)
    return "none is made where actions are only judged";
  if (caller.startedBy === "nobody") return "nobody is there who could stop it";
  if (!isAlone(program)) return "only a single command without redirections runs on one";
  return terminalProblem();
}

type Starting = {
  readonly request: ShellRequest;
  readonly effects: readonly Effect[];
  readonly run: (execution: Omit<Execution, "overlay">) => Promise<Outcome>;
};

/** Starts the program of a line on a terminal of its session, where it stays until it ends. */
export function startOnTerminal(
  line: PreparedLine,
  { request, effects, run }: Starting,
): Pick<Extract<Preparation, { ok: true }>, "run" | "trial"> {
  const { ports, caller } = request;
  const { terminals, overlays } = ports;
  if (terminals === undefined) throw new Error("A program was to run on a terminal where there is none.");
  const { turn, session } = caller;
  const execution = {
    ports,
    given: line.given,
    origin: { turn, session },
    cancel: new AbortController().signal,
  };
  const begin = (terminal: TerminalProcess, life: Promise<Outcome>, trial: TerminalProgram["trial"]) => {
    const name = ports.mask(line.plan[0]?.commands[0]?.argv[0] ?? "");
    const program = {
      id: randomUUID(),
      name,
      cmd: line.cmd,
      terminal,
      effects,
      label: line.resultLabel,
      trial,
      life,
    };
    terminals.hold(session, program);
    return program;
  };
  return {
    run: async (cancel, view) => {
      const terminal = new TerminalProcess(terminals.limits);
      const program = begin(terminal, run({ ...execution, terminal }), null);
      return (await stepOn(program, { terminals, session, input: null, cancel, view })).outcome;
    },
    trial: async (cancel, view) => {
      if (overlays === undefined || line.given.workspace === null)
        throw new Error("A line without overlays was to be tried.");
      const overlay = await overlays.open(line.given.workspace);
      if (typeof overlay === "string") {
        const message = `It could not be tried: ${overlay}. Nothing was run. Propose it again.`;
        return { outcome: { status: "error", code: "no-overlay", message }, changed: false };
      }
      const over = { overlay, isTrial: true, keep: () => Promise.resolve(nothingKept) };
      const terminal = new TerminalProcess(terminals.limits);
      const life = withinLimits(
        {
          upper: overlay.upper,
          execute: (ending, started) =>
            execute(line.plan, { ...execution, cancel: ending, overlay: over, started, terminal }),
        },
        execution.cancel,
        trialBounds,
      );
      const program = begin(terminal, life, overlay);
      const step = await stepOn(program, { terminals, session, input: null, cancel, view });
      return endTrial(program, { ports, caller, args: line.args, step });
    },
  };
}

export type StepRequest = {
  readonly terminals: Terminals;
  readonly session: string;
  /** What is typed; null where the program was just started. */
  readonly input: string | null;
  readonly cancel: AbortSignal;
  readonly view: OutputView | undefined;
};

/** Where a program is after a call. */
export type ProgramStep = { readonly outcome: Outcome; readonly isRunning: boolean };

/** What a program shows once it waits again, or its outcome where it ended. */
export async function stepOn(
  program: TerminalProgram,
  { terminals, session, input, cancel, view }: StepRequest,
): Promise<ProgramStep> {
  const ended = program.life.then(() => ({ isWaiting: false }) as const);
  const step = await Promise.race([program.terminal.step(input, cancel, view), ended]);
  if (!step.isWaiting) {
    const outcome = await program.life;
    terminals.release(session, program);
    return { outcome, isRunning: false };
  }
  const { text, prompt, untyped } = step;
  const secret = prompt.kind === "none" ? null : secretNote(program, prompt);
  if (untyped !== "" && untyped === input) {
    const message =
      secret ?? `${program.name} hid what is typed for a moment, so nothing was typed. Type it again.`;
    return { outcome: { status: "error", code: "secret-prompt", message }, isRunning: true };
  }
  const notes = [
    ...(untyped === ""
      ? []
      : [`The last ${untyped.length} characters of what was to be typed were not typed.`]),
    secret ?? runsNote(program),
  ];
  const content = { stdout: text, stderr: "", running: program.name };
  return { outcome: withNotes({ status: "success", content }, notes), isRunning: true };
}

function runsNote({ name }: TerminalProgram): string {
  return `${name} runs on a terminal and waits, or works without a word. Type into it with the tool terminal.`;
}

/** Said of a prompt that does not show what is typed, and where nobody can tell whether there is one. */
function secretNote({ name }: TerminalProgram, prompt: SecretPrompt): string {
  const found =
    prompt.kind === "unknown"
      ? `Whether ${name} asks for a secret cannot be told, since ${prompt.reason}.`
      : `${name} asks for a secret: what is typed is not shown.`;
  return `${found} Only the owner may answer that, never you, and nothing is typed. Tell the owner, or end it by typing \\u0003.`;
}

type Trying = {
  readonly ports: ShellPorts;
  readonly caller: Caller;
  readonly args: JsonObject;
  readonly step: ProgramStep;
};

/** What came of a call of a program that is tried: where it has ended, what it changed is held and judged. */
export async function endTrial(
  { trial, label }: TerminalProgram,
  { ports, caller, args, step }: Trying,
): Promise<{ readonly outcome: Outcome; readonly changed: boolean }> {
  const { outcome, isRunning } = step;
  if (trial === null || isRunning) return { outcome, changed: false };
  if (ports.overlays === undefined) throw new Error("A trial without overlays was to be held.");
  const { trials } = ports.overlays;
  await trials.drop(caller.turn);
  return trials.hold({ turn: caller.turn, command: canonicalJson(args), overlay: trial, outcome, label });
}
