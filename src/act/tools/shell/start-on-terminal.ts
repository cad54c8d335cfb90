import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Effect } from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import type { Caller, Outcome, Preparation } from "../../../signal/tool.ts";
import { canonicalJson, type JsonObject } from "../../../text/json.ts";
import { bytesOfPath } from "../../files/byte-names.ts";
import { explainNoSandbox } from "../../sandbox/sandbox-lack.ts";
import { execute } from "../../shell/execute.ts";
import { terminalProblem } from "../../shell/make-terminal.ts";
import type { OutsidePlaces } from "../../shell/outside-places.ts";
import type { CommandPlan, PlanEnvironment } from "../../shell/plan.ts";
import type { ShellProgram } from "../../shell/program.ts";
import { isInteractive } from "../../shell/programs/interactive.ts";
import type { SecretAnswers } from "../../shell/secret-answers.ts";
import type { CommandWrites, Execution, ShellPorts } from "../../shell/shell-ports.ts";
import { TerminalProcess } from "../../shell/terminal-process.ts";
import type { TerminalProgram } from "../../shell/terminals.ts";
import { nothingKept } from "../../trial/command-overlays.ts";
import { walkEntries } from "../../trial/fingerprint.ts";
import { withinLimits } from "../../trial/limits.ts";
import { trialBounds } from "../../trial/trials.ts";
import type { ToolCall } from "../define-tool.ts";
import type { MadeChanges } from "./made-changes.ts";
import { notTried } from "./prepare-tried.ts";
import { type ProgramStep, stepOn } from "./step-on-terminal.ts";

/** Characters before a piece of a file in which an answer may begin. */
const overlap = 8_192;

/**
 * A file below a folder that holds, in its bytes or its name, what the owner answered to a program in secret;
 * null where none does.
 */
async function findKeptAnswer(folder: string, answers: SecretAnswers): Promise<string | null> {
  if (answers.isEmpty) return null;
  for await (const { inside, status } of walkEntries(folder)) {
    if (answers.isIn(inside)) return inside;
    if (!status.isFile()) continue;
    let before = "";
    for await (const piece of createReadStream(bytesOfPath(join(folder, inside)), "utf8")) {
      const text = before + String(piece);
      if (answers.isIn(text)) return inside;
      before = text.slice(-overlap);
    }
  }
  return null;
}

/** A call of the shell. `onTerminal`: it is to run on a terminal; else only a program that talks with a person does. */
export type ShellRequest = ToolCall<ShellPorts> & { readonly onTerminal?: boolean };

/** A command line that was planned and labelled. */
export type PreparedLine = {
  readonly args: JsonObject;
  readonly cmd: string;
  readonly plan: CommandPlan;
  readonly given: PlanEnvironment;
  readonly writes: Omit<CommandWrites, "paths">;
  readonly resultLabel: Label;
  /** The label of all that it can read in the workspace, where that counts. */
  readonly readable: Label;
  readonly overlaid: boolean;
  readonly outside: OutsidePlaces;
  /** The sets of older commands that are dropped for it. */
  readonly drops: readonly string[];
  /** Told what it changed. */
  readonly made: MadeChanges;
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
    return `${explainNoSandbox().why}, and only that ends all that a program on a terminal starts`;
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

/** What is tried on a terminal is looked at and kept after it has ended. */
const keepingNothing = {
  keep: () => Promise.resolve(nothingKept),
  takenOut: () => Promise.resolve([]),
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
      const terminal = new TerminalProcess(terminals.limits, terminals.sizeOf(session));
      const program = begin(terminal, run({ ...execution, terminal }), null);
      return (await stepOn(program, { ports, terminals, caller, input: null, cancel, view })).outcome;
    },
    trial: async (cancel, view) => {
      if (overlays === undefined || line.given.workspace === null)
        throw new Error("A line without overlays was to be tried.");
      const overlay = await overlays.open(line.given.workspace);
      if (typeof overlay === "string") return notTried(overlay);
      const begun = performance.now();
      const over = { overlay, isTrial: true, ...keepingNothing };
      const terminal = new TerminalProcess(terminals.limits, terminals.sizeOf(session));
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
      const step = await stepOn(program, { ports, terminals, caller, input: null, cancel, view });
      return endTrial(program, { ports, caller, args: line.args, step, begun });
    },
  };
}

type Trying = {
  readonly ports: ShellPorts;
  readonly caller: Caller;
  readonly args: JsonObject;
  readonly step: ProgramStep;
  /** When the call began. */
  readonly begun: number;
};

/** The outcome of a call to a program that is tried. What it changed is held and judged once it has ended. */
export async function endTrial(
  { trial, label, terminal }: TerminalProgram,
  { ports, caller, args, step, begun }: Trying,
): Promise<{ readonly outcome: Outcome; readonly changed: boolean }> {
  const { outcome, isRunning } = step;
  if (trial === null || isRunning) return { outcome, changed: false };
  if (ports.overlays === undefined) throw new Error("A trial without overlays was to be held.");
  const { trials } = ports.overlays;
  await trials.drop(caller.turn);
  const held = await trials.hold({
    turn: caller.turn,
    command: canonicalJson(args),
    overlay: trial,
    outcome,
    ranFor: performance.now() - begun,
    label,
  });
  const file = held.changed ? await findKeptAnswer(trial.upper, terminal.answers) : null;
  if (file === null) return held;
  await trials.drop(caller.turn);
  const message = `It wrote what the owner answered in secret into ${file === "" ? "a file" : ports.mask(file)}, so nothing that it changed was kept. Say so to the owner: such a program they run themselves.`;
  return { outcome: { status: "error", code: "answer-kept", message }, changed: false };
}
