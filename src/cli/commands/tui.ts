import { randomUUID } from "node:crypto";
import { loadPolicy } from "../../settings/policy.ts";
import { socketPathOf } from "../../settings/socket-path.ts";
import type { TuiParts } from "../../tui/tui.ts";
import { editText } from "./edit-text.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { readLines } from "./read-lines.ts";
import { startAgentProcess } from "./start-agent-process.ts";

const usage = `passepartout [tui] [--session NAME | --continue] [--screen-reader]
Opens a conversation on the whole terminal. F1 lists the keys, /help the commands, Ctrl-D leaves.
  --session NAME  starts or continues the session with this name
  --continue      continues the last session of this folder
  --screen-reader lines of text alone, each with its label, and questions that are answered by numbers; also with ACCESSIBLE=1 in the environment
Needs a terminal; passepartout cli is the same conversation line by line. Where no daemon runs, an agent is started, which ends some time after you left.
Exit codes: 0 left, 1 it could not start or go on, 2 wrong usage, or no terminal that can be filled.`;

/** Milliseconds after which the screen is back, once the process goes on. */
const resumeDelay = 50;

/** A conversation on the whole terminal. */
export async function tuiCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    session: { type: "string" },
    continue: { type: "boolean", default: false },
    "screen-reader": { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw usageError(`Unexpected argument '${positionals[0]}'.`, usage);
  if (values.session !== undefined && values.continue)
    throw usageError("Use either --session or --continue, not both.", usage);
  const isReader = values["screen-reader"] || isAccessible(io);
  if (!isReader && !canFillTerminal(io))
    throw usageError("This needs a terminal that can be filled. Use passepartout cli here.", usage);
  const { runReader, runTui } = await import("../../tui/tui.ts");
  const policy = loadPolicy(io.environment);
  const { state, home } = policy.config.places;
  const off: (() => void)[] = [];
  const editing = { is: false };
  try {
    const parts = {
      environment: io.environment,
      folder: io.cwd,
      home,
      version: io.version,
      bells: policy.config.notices,
      wanted: { name: values.session ?? null, latest: values.continue },
      socketPath: socketPathOf(policy),
      stateFolder: state,
      newId: randomUUID,
      startAgent: startAgentProcess,
      suspend(resume: () => void) {
        process.kill(process.pid, "SIGTSTP");
        // Reached when the process goes on, and at once where no shell can stop it.
        setTimeout(resume, resumeDelay);
      },
      async editText(text: string) {
        editing.is = true;
        const edited = await editText(text, io.environment);
        editing.is = false;
        return edited;
      },
      onEnd(listener: () => void) {
        process.once("exit", listener).once("SIGHUP", listener);
        // While an editor has the terminal, Ctrl+C is for the editor.
        const interrupted = (name: "SIGINT" | "SIGTERM"): void => {
          if (name === "SIGTERM" || !editing.is) listener();
        };
        off.push(io.onInterrupt(interrupted), () => process.off("exit", listener).off("SIGHUP", listener));
      },
      out: io.out,
    } satisfies TuiParts;
    await (isReader ? runReader(parts, readLines(io)) : runTui(parts));
  } finally {
    for (const done of off) done();
  }
  return exitCodes.done;
}

/** Whether a screen can be filled: both ends are a terminal, and it is not a dumb one. */
function canFillTerminal({ input, outIsTerminal, environment }: Io): boolean {
  const kind = environment["TERM"] ?? "";
  return input.isTTY === true && outIsTerminal && kind !== "dumb" && kind !== "";
}

/** Whether the owner asks for a screen that can be read out. Nobody guesses it. */
function isAccessible({ environment }: Io): boolean {
  return (environment["ACCESSIBLE"] ?? "") !== "";
}

/** Whether a start without a command opens this conversation: on a terminal that can be filled, or read out. */
export function opensScreen(io: Io): boolean {
  const isTerminal = io.input.isTTY === true && io.outIsTerminal;
  return isTerminal && (isAccessible(io) || canFillTerminal(io));
}
