import type { Effect } from "../../signal/effect.ts";
import type { Label } from "../../signal/label.ts";
import type { Outcome } from "../../signal/tool.ts";
import { type TerminalSize, usualSize } from "../../text/terminal-size.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import type { TerminalLimits } from "./terminal-outcome.ts";
import type { TerminalProcess } from "./terminal-process.ts";

/** A program that runs on a terminal, in one session. */
export type TerminalProgram = {
  /** Tells it from every other one. */
  readonly id: string;
  readonly name: string;
  readonly cmd: string;
  readonly terminal: TerminalProcess;
  /** What starting it was judged by. */
  readonly effects: readonly Effect[];
  /** The label of all that was given to it. */
  label: Label;
  /** The overlay of its trial; null where what it changes is kept when it ends. */
  readonly trial: Overlay | null;
  /** Its whole run. */
  readonly life: Promise<Outcome>;
  /** The turn in which the owner refused to answer it: they are not asked again in that one. */
  refusedIn?: string;
};

/** The programs that run on terminals: at most one in a session. */
export type Terminals = {
  readonly limits: TerminalLimits;
  /** The size that terminals of a session get. */
  readonly sizeOf: (session: string) => TerminalSize;
  /** The size of the owner's own terminal: the one of the session gets it, and each that follows. */
  readonly resize: (session: string, size: TerminalSize) => Promise<void>;
  readonly find: (session: string) => TerminalProgram | null;
  /** Whether none runs. */
  readonly isIdle: () => boolean;
  /** What keeps a session from starting one, in words; null where nothing does. */
  readonly problem: (session: string) => string | null;
  /** Holds a program until `release`, or the end of its session. */
  readonly hold: (session: string, program: TerminalProgram) => void;
  /** Lets go of a program that has ended; its overlay belongs to the caller from then on. */
  readonly release: (session: string, program: TerminalProgram) => void;
  /** Ends the program of a session, and drops what it changed in its trial. False where none ran. */
  readonly end: (session: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** How long a program may run and wait, how much it may print, and how long a call waits for its answer. */
const usualLimits: TerminalLimits = { life: 3_600_000, idle: 600_000, bytes: 32_000_000, answer: 30_000 };
const mostPrograms = 8;
/** Sessions whose size is kept. */
const mostSizes = 1_000;

/** Opens the programs on terminals of a process. */
export function openTerminals(limits: TerminalLimits = usualLimits): Terminals {
  const bySession = new Map<string, TerminalProgram>();
  const sizes = new Map<string, TerminalSize>();
  const end = async (session: string): Promise<boolean> => {
    const program = bySession.get(session);
    if (program === undefined) return false;
    bySession.delete(session);
    program.terminal.stop("stopped");
    await program.life;
    await program.trial?.[Symbol.asyncDispose]();
    return true;
  };
  return {
    limits,
    sizeOf: (session) => sizes.get(session) ?? usualSize,
    async resize(session, size) {
      sizes.delete(session);
      sizes.set(session, size);
      for (const oldest of [...sizes.keys()].slice(0, -mostSizes)) sizes.delete(oldest);
      await bySession.get(session)?.terminal.resize(size);
    },
    find: (session) => bySession.get(session) ?? null,
    isIdle: () => bySession.size === 0,
    problem(session) {
      const own = bySession.get(session);
      if (own !== undefined && !own.terminal.isOver)
        return `${own.name} still runs on the terminal of this session. The model types into it with the tool terminal until it ends, or types \\u0003 (Ctrl-C) or \\u0004 (Ctrl-D); its owner ends it by /stop.`;
      const running = [...bySession.values()].filter(({ terminal }) => !terminal.isOver);
      return running.length < mostPrograms
        ? null
        : `${mostPrograms} programs run on terminals already. End one of them first.`;
    },
    hold(session, program) {
      const over = bySession.get(session)?.trial;
      bySession.set(session, program);
      void over?.[Symbol.asyncDispose]();
    },
    release(session, program) {
      if (bySession.get(session) === program) bySession.delete(session);
    },
    end,
    async close() {
      await Promise.all([...bySession.keys()].map(end));
    },
  };
}
