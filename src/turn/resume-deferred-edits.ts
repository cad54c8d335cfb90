import { basename } from "node:path";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";
import type { State } from "../memory/state/state.ts";
import type { Signal } from "../signal/signal.ts";
import type { Clock } from "../text/clock.ts";
import type { FileLocks } from "./file-locks.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** What resuming deferred edits needs. */
export type ResumeEditsParts = {
  readonly state: Pick<State, "accept" | "deferredEdits">;
  readonly locks: Pick<FileLocks, "isEditable" | "watch">;
  readonly clock: Clock;
  readonly depthLimit: (signal: Signal) => number;
  readonly queue: TurnQueue;
  /** Aborted when the process is closing. */
  readonly closing: AbortSignal;
};

/**
 * Begins a turn for each deferred edit whose file was released, or can be edited in its buffer: one of each
 * file at a time, the oldest first.
 */
export class DeferredEditResumer {
  readonly #parts: ResumeEditsParts;
  #running = false;
  #again = false;

  constructor(parts: ResumeEditsParts) {
    this.#parts = parts;
  }

  /** Looks for released files. Where that is under way it looks once more afterwards, and this resolves at once. */
  async resume(): Promise<void> {
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#again && !this.#parts.closing.aborted) {
        this.#again = false;
        await resumeReleasedEdits(this.#parts);
      }
    } finally {
      this.#running = false;
    }
  }
}

async function resumeReleasedEdits(parts: ResumeEditsParts): Promise<void> {
  const { state, locks, queue } = parts;
  const edits = await state.deferredEdits.all();
  locks.watch(edits.map(({ path }) => path));
  for (const edit of firstOfEachFile(edits)) {
    if (!(await locks.isEditable(edit.path))) continue;
    const signal = lockReleasedSignal(edit, parts.clock());
    const { turn } = await state.accept(signal, parts.depthLimit(signal));
    if (turn.state !== "suspended") queue.addOnce(turn);
  }
}

/** The signal that an editor released the file of an edit. Its id is the same every time, so that it is accepted once. */
function lockReleasedSignal(edit: DeferredEdit, at: number): Signal {
  return {
    id: `let-go ${edit.id}`,
    clientId: `let-go ${edit.id}`,
    sensor: "file-changed",
    session: edit.session,
    source: edit.source,
    person: edit.person,
    text: `(An edit of ${basename(edit.path)} waited until Emacs let go of it.)`,
    payload: { edit: edit.id, path: edit.path },
    depth: 0,
    label: edit.label,
    at,
  };
}

function firstOfEachFile(edits: readonly DeferredEdit[]): readonly DeferredEdit[] {
  return edits.filter((edit, index) => edits.findIndex(({ path }) => path === edit.path) === index);
}
