import { basename } from "node:path";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";
import { formatResult } from "../reason/format-result.ts";
import type { Signal } from "../signal/signal.ts";
import type { ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { deferredEditId } from "./defer-edit.ts";
import { finishTurn } from "./end-turn.ts";
import type { DriveParts } from "./turn-ports.ts";

/** What taking up the edits that waited needs. */
export type DeferredEditParts = Pick<DriveParts, "state" | "locks" | "clock" | "depthLimit" | "stopping"> & {
  /** Runs a turn that was taken in, unless it runs or waits to run. */
  readonly begin: (turn: Turn) => void;
};

/**
 * A way to take up the edits whose files were let go of, one of each file at a time, in the order in which they were put off. It looks once at a
 * time, and once more where something changed while it looked.
 */
export function makeDeferredEditResumer({
  state,
  locks,
  clock,
  depthLimit,
  stopping,
  begin,
}: DeferredEditParts): () => Promise<void> {
  const now = { looking: false, again: false };
  const look = async (): Promise<void> => {
    const edits = await state.deferredEdits.all();
    locks.watch(edits.map(({ path }) => path));
    for (const edit of firstOfEach(edits)) {
      if ((await locks.read(edit.path)) !== null) continue;
      const signal = lockReleasedSignal(edit, clock());
      begin((await state.accept(signal, depthLimit(signal))).turn);
    }
  };
  return async () => {
    now.again = true;
    if (now.looking) return;
    now.looking = true;
    try {
      while (now.again && !stopping.aborted) {
        now.again = false;
        await look();
      }
    } finally {
      now.looking = false;
    }
  };
}

/** The signal that an editor let go of a file that an edit waits for: the same every time, so that it is taken in once. */
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

function firstOfEach(edits: readonly DeferredEdit[]): readonly DeferredEdit[] {
  return edits.filter((edit, index) => edits.findIndex(({ path }) => path === edit.path) === index);
}

/** Proposes the edit that waited once more, to be prepared and judged as it is now; once it has a result, the turn ends with that. No model is asked. */
export async function proposeDeferredEdit(parts: DriveParts, turn: Turn): Promise<Turn> {
  const last = turn.messages.at(-1);
  if (last?.role === "result") return endWith(parts, turn, last.result);
  const edit = await parts.state.deferredEdits.get(deferredEditId(turn));
  if (edit === null || turn.messages.length > 1)
    return finishTurn(parts, turn, {
      state: "stopped",
      code: "no-edit",
      text: "The edit does not wait any more.",
    });
  await parts.snapshot(turn);
  const call = { ...edit.call, id: parts.newId() };
  const proposal = {
    role: "assistant" as const,
    ...{ text: "", calls: [call], native: false, provider: "reflex", raw: null, label: edit.label },
  };
  const next: Turn = {
    ...turn,
    state: "judging",
    messages: [...turn.messages, proposal],
    pending: [call],
    approved: edit.approved,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next });
  return next;
}

async function endWith(parts: DriveParts, turn: Turn, result: ToolResult): Promise<Turn> {
  const { path } = turn.signal.payload;
  const name = typeof path === "string" ? basename(path) : "the file";
  const verdict = await parts.judgeTelling(turn, "", result.label);
  const told = verdict.decision === "pass" ? formatResult(result) : "";
  if (result.outcome.status === "success") {
    const text = `Emacs let go of ${name}. ${told}`;
    return finishTurn(parts, turn, { state: "answered", code: "", text });
  }
  const edit = await parts.state.deferredEdits.get(deferredEditId(turn));
  const { code } = result.outcome;
  if (edit !== null && (code === "changed" || code === "conflict")) {
    const putOff = { edit: { ...edit, id: parts.newId() }, instead: edit.id };
    const text = `${name} changed just when the edit that waited was to be made. It is tried again.`;
    return finishTurn(parts, turn, { state: "stopped", code: "waits-again", text, putOff });
  }
  const kept = edit === null ? "" : await parts.locks.setAside(edit);
  const text = `The edit that waited for ${name} was not made. ${told} ${kept}`;
  return finishTurn(parts, turn, { state: "failed", code, text });
}
