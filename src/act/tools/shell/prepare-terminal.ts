import { z } from "zod";
import type { Effect } from "../../../signal/effect.ts";
import { joinLabels } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { canonicalJson, type JsonObject } from "../../../text/json.ts";
import { withNotes } from "../../shell/later-guard.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import type { TerminalProgram, Terminals } from "../../shell/terminals.ts";
import type { ToolCall } from "../define-tool.ts";
import { prepareShell } from "./prepare-shell.ts";
import { prepareTried } from "./prepare-tried.ts";
import { endTrial } from "./start-on-terminal.ts";
import { stepOn } from "./step-on-terminal.ts";

const schema = z.union([
  z.strictObject({ cmd: z.string().min(1).max(20_000), network: z.array(z.string().max(300)).optional() }),
  z.strictObject({ input: z.string().max(2_000) }),
]);

type Request = ToolCall<ShellPorts>;

/** Prepares to start a program on a terminal, or to type into the one that runs in the session. */
export async function prepareTerminal(args: JsonObject, request: Request): Promise<Preparation> {
  const parsed = schema.safeParse(args);
  if (!parsed.success) {
    const message =
      "The tool terminal takes either cmd, a command line to start, with network, a list of hosts; or input, at most 2,000 characters to type.";
    return { ok: false, code: "invalid-arguments", message };
  }
  if ("cmd" in parsed.data) return prepareShell(args, { ...request, onTerminal: true });
  return prepareInput(args, parsed.data.input, request);
}

/** What is typed is payload: it is judged as the program itself, with the words, since nobody knows what it does with them. */
async function prepareInput(args: JsonObject, input: string, request: Request): Promise<Preparation> {
  const { ports, caller, labelOf } = request;
  const { terminals, overlays } = ports;
  const label = labelOf(input);
  const tried = overlays?.trials.find(caller.turn, canonicalJson(args)) ?? null;
  if (tried !== null) {
    const resultLabel = joinLabels(label, tried.label ?? label);
    const writes = { workspace: caller.workspace, label: resultLabel, inputs: resultLabel };
    return prepareTried(tried, { ports, caller, writes, plan: [], cmd: input });
  }
  const program = terminals?.find(caller.session) ?? null;
  if (terminals === undefined || program === null) {
    const message =
      "No program runs on the terminal of this session. Start one with cmd. One that ran before may have ended with the agent (a restart, a crash): what it had changed in its copy of the workspace by then is lost, so say that to the owner.";
    return { ok: false, code: "no-program", message };
  }
  const resultLabel = joinLabels(program.label, label);
  const type = typeInto(program, { args, input, request, terminals });
  return {
    ok: true,
    effects: program.effects.map((effect) =>
      withInput(effect, program, { input: ports.mask(input), label: resultLabel }),
    ),
    plan: { program: program.id, typed: input },
    changes: [],
    resultLabel,
    run: async (cancel, view) => {
      const { outcome, changed } = await type(resultLabel, cancel, view);
      return changed ? withNotes(outcome, [notKept]) : outcome;
    },
    trial: (cancel, view) => type(resultLabel, cancel, view),
  };
}

/** A yes to what is typed says nothing of what the program changed. */
const notKept =
  "The program has ended. It ran over a copy of the workspace, and nothing that it changed there was kept, since the changes themselves were not judged.";

type Typing = {
  readonly args: JsonObject;
  readonly input: string;
  readonly request: Request;
  readonly terminals: Terminals;
};

/** Types, unless a secret is asked for: then only the owner may. */
function typeInto(program: TerminalProgram, { args, input, request, terminals }: Typing) {
  const { ports, caller } = request;
  return async (
    label: TerminalProgram["label"],
    cancel: AbortSignal,
    view: Parameters<Extract<Preparation, { ok: true }>["run"]>[1],
  ) => {
    program.label = label;
    const begun = performance.now();
    const step = await stepOn(program, { ports, terminals, caller, input, cancel, view });
    return endTrial(program, { ports, caller, args, step, begun });
  };
}

/** The effect of a program, with what is typed into it. Only what is typed into a program that is tried needs no yes: nothing of it lasts. */
function withInput(
  effect: Effect,
  { trial }: TerminalProgram,
  { input, label }: { readonly input: string; readonly label: Effect["label"] },
): Effect {
  if (effect.kind !== "run-program") return { ...effect, label };
  const { triable, ...rest } = effect;
  const typed = input === "" ? "(wait for its output)" : `(type: ${shownKeys(input)})`;
  const argv = [effect.argv[0] ?? "", typed];
  return { ...rest, label, argv, ...(trial !== null && triable === true ? { triable } : {}) };
}

/** Keys as a person reads them. */
function shownKeys(input: string): string {
  return Array.from(input, (key) => {
    const code = key.codePointAt(0) ?? 0;
    if (key === "\n" || key === "\r") return "⏎";
    return code < 32 || code === 127 ? `^${String.fromCharCode(code ^ 64)}` : key;
  }).join("");
}
