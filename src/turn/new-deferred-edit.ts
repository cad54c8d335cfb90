import type { DeferredEdit } from "../memory/state/deferred-edits.ts";
import type { Turn } from "../signal/turn.ts";
import type { FileLocks } from "./file-locks.ts";
import type { StepPorts } from "./step-ports.ts";

type NewDeferredEditParts = Pick<StepPorts, "clock" | "newId"> & {
  readonly locks: Pick<FileLocks, "keepBase">;
};

/** An edit that a turn puts off, with what its file holds now kept to compare with later. */
export async function newDeferredEdit(
  { clock, newId, locks }: NewDeferredEditParts,
  turn: Turn,
  edit: Pick<DeferredEdit, "path" | "call" | "label" | "attempted">,
): Promise<DeferredEdit> {
  return {
    id: newId(),
    turn: turn.id,
    session: turn.session,
    source: turn.signal.source,
    person: turn.signal.person,
    base: await locks.keepBase(edit.path),
    approved: turn.approved,
    at: clock(),
    ...edit,
  };
}
