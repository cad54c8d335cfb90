import { randomUUID } from "node:crypto";
import { wholeWorkspace } from "../../daemon/agent/resources/take-workspace.ts";
import type { Io } from "../../kernel/io.ts";
import { findHeldSocket } from "../../memory/storage/held-socket.ts";
import { makeCopyText } from "../../program/copy-text.ts";
import { editText } from "../../program/edit-text.ts";
import { makeIsHidden } from "../../program/hidden-pane.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { ownCommand } from "../../program/own-command.ts";
import { readLines } from "../../program/read-lines.ts";
import { makeRunBriefly } from "../../program/run-briefly.ts";
import { startAgentProcess } from "../../program/start-agent-process.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { socketPathOf } from "../../settings/socket-path.ts";
import type { JobScreen, TuiParts } from "../../tui/tui.ts";
import { tuiSpec } from "../table/own-specs.ts";
import { openJob } from "./job.ts";

/** A conversation on the whole terminal. */
export async function tuiCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, tuiSpec);
  const isReader = values["screen-reader"] || isAccessible(io);
  if (!isReader && !canFillTerminal(io))
    throw usageError("This needs a terminal that can be filled. Use passepartout cli here.", tuiSpec);
  const { runReader, runTui } = await import("../../tui/tui.ts");
  const policy = loadPolicy(io.environment);
  const { state, home } = policy.config.places;
  const off: (() => void)[] = [];
  const editing = { is: false };
  const run = makeRunBriefly(io.environment);
  try {
    const parts = {
      environment: io.environment,
      folder: io.cwd,
      home,
      version: io.version,
      command: ownCommand(io.cwd),
      bells: policy.config.notices,
      screen: policy.config.screen,
      copyText: makeCopyText({
        environment: io.environment,
        platform: process.platform,
        stateFolder: state,
        run,
      }),
      isHidden: makeIsHidden(io.environment, run),
      terminal: io.terminal,
      wanted: { name: values.session ?? null, latest: values.continue },
      socketPath: () => findHeldSocket(state, socketPathOf(policy)),
      stateFolder: state,
      newId: randomUUID,
      startAgent: startAgentProcess,
      openJob: (screen: JobScreen) => openJob(screen, () => editing.is),
      async editText(text: string) {
        editing.is = true;
        const edited = await editText(text, io.environment, await wholeWorkspace(io.cwd, home));
        editing.is = false;
        return edited;
      },
      onEnd(listener: () => void) {
        process.once("exit", listener);
        // While an editor has the terminal, Ctrl+C is for the editor.
        const interrupted = (name: "SIGINT" | "SIGTERM"): void => {
          if (name === "SIGTERM" || !editing.is) listener();
        };
        off.push(io.onInterrupt(interrupted), () => process.off("exit", listener));
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
