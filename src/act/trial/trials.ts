import { statfs } from "node:fs/promises";
import type { Outcome } from "../../signal/tool.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { type Difference, findDifference } from "./difference.ts";
import { isCache } from "./difference-effects.ts";
import { digestOfDifference } from "./manifest.ts";

/** A command that was tried: its outcome, and what it changed, which lies in its overlay until it is kept or dropped. */
export type TriedCommand = {
  readonly overlay: Overlay;
  readonly outcome: Outcome;
  readonly difference: Difference;
  readonly digest: string;
};

/** The trials of this process that are neither kept nor dropped, one for each turn. */
export type Trials = {
  /** The trial of a command in a turn; null if it was not tried. */
  readonly find: (turn: string, command: string) => TriedCommand | null;
  /** Tries a command over an overlay and holds what it changed. Null for the difference where nothing changed: then nothing is held. */
  readonly run: (trial: NewTrial, cancel: AbortSignal) => Promise<{ outcome: Outcome; changed: boolean }>;
  /** Drops the trial of a turn with all that it changed. */
  readonly drop: (turn: string) => Promise<void>;
};

/** A trial to make. `execute` runs the command over the overlay. */
export type NewTrial = {
  readonly turn: string;
  readonly command: string;
  readonly overlay: Overlay;
  readonly execute: (cancel: AbortSignal) => Promise<Outcome>;
};

/** Holds the trials of a process. */
export function openTrials(): Trials {
  const held = new Map<string, TriedCommand & { readonly command: string }>();
  const drop = async (turn: string): Promise<void> => {
    const trial = held.get(turn);
    held.delete(turn);
    await trial?.overlay[Symbol.asyncDispose]();
  };
  return {
    find(turn, command) {
      const trial = held.get(turn);
      return trial?.command === command ? trial : null;
    },
    async run({ turn, command, overlay, execute }, cancel) {
      await drop(turn);
      await using stack = new AsyncDisposableStack();
      stack.use(overlay);
      const outcome = await withinDisk(overlay, execute, cancel);
      const isDone = outcome.status === "success" && !cancel.aborted;
      const difference = isDone ? await lastingDifference(overlay) : null;
      if (difference === null || difference.exchanges.length + difference.modes.length === 0)
        return { outcome, changed: false };
      held.set(turn, { command, overlay, outcome, difference, digest: await digestOfDifference(difference) });
      stack.move();
      return { outcome, changed: true };
    },
    drop,
  };
}

async function lastingDifference(overlay: Overlay): Promise<Difference> {
  const { exchanges, ...rest } = await findDifference(overlay);
  return { ...rest, exchanges: exchanges.filter(({ path }) => !isCache(path)) };
}

/** Bytes that a trial may take of the disk, and that it must leave free. */
const disk = { most: 8_000_000_000, free: 1_000_000_000 };
/** Milliseconds between looks at the disk. */
const interval = 250;

/** Ends a trial that fills the disk. */
async function withinDisk(
  { upper }: Overlay,
  execute: NewTrial["execute"],
  cancel: AbortSignal,
): Promise<Outcome> {
  const full = new AbortController();
  const before = await freeBytes(upper);
  const look = async (): Promise<void> => {
    const free = await freeBytes(upper);
    if (before - free > disk.most || (free < disk.free && before >= disk.free)) full.abort();
  };
  const timer = setInterval(() => void look().catch(() => full.abort()), interval);
  try {
    const outcome = await execute(AbortSignal.any([cancel, full.signal]));
    if (!full.signal.aborted) return outcome;
    const message = "The trial was ended, since it filled the disk. Nothing of it was kept.";
    return { status: "error", code: "disk-full", message };
  } finally {
    clearInterval(timer);
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
