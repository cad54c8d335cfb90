import type { FilePorts } from "../../../act/files/file-ports.ts";
import type { ReviewPorts, ReviewTask } from "../../../act/tools/notes/prepare-review.ts";
import type { State } from "../../../memory/state/state.ts";
import { recogniseCommand } from "../../../perceive/commands.ts";
import { isJobSignal, type Signal } from "../../../signal/signal.ts";
import { isJsonArray } from "../../../text/json.ts";
import { deferredEditId } from "../../../turn/deferred-edit-turn.ts";
import { currentProposal, openOnes } from "../../commands/current-proposal.ts";
import { jobOfSessionName } from "../resources/cap-of-job.ts";

/** The review task that a signal asks for: the owner's own command, or the program's own filing. Null for any other signal. */
export function reviewTaskOf(signal: Signal): ReviewTask | null {
  const { at, payload } = signal;
  if (isJobSignal(signal)) {
    const { review } = payload;
    const ids = isJsonArray(review) ? review.filter((id) => typeof id === "string") : [];
    return ids.length === 0 ? null : { verb: "file", ids, at };
  }
  const command = recogniseCommand(signal);
  if (command?.kind !== "review") return null;
  const { request } = command;
  return request.verb === "accept" || request.verb === "reject"
    ? { verb: request.verb, ids: [request.id], at }
    : null;
}

/** The part of memory that the review tool needs. */
export function makeReviewPorts(
  state: State,
  orgConfig: ReviewPorts["orgConfig"],
  settled: () => Promise<void>,
): Omit<ReviewPorts, keyof FilePorts> {
  const { proposals } = state;
  return {
    async taskOf(id) {
      const turn = await state.turns.get(id);
      if (turn === null) return null;
      const edit = deferredEditId(turn) === "" ? null : await state.deferredEdits.get(deferredEditId(turn));
      const begun = edit === null ? turn : await state.turns.get(edit.turn);
      return begun === null ? null : reviewTaskOf(begun.signal);
    },
    async proposal(id) {
      const kept = await proposals.get(id);
      if (kept === null) return null;
      // An entry that the owner removed may be in the file again.
      const isTakenOut = kept.state === "rejected" && kept.turn === null;
      return isTakenOut ? { ...kept, state: "open" } : currentProposal(state, kept);
    },
    async waiting() {
      return openOnes(state);
    },
    async acceptedFor(path, digest) {
      const accepted = (await proposals.list(["accepted"])).filter(
        ({ change }) =>
          change.kind === "files" && change.files.some((file) => file.path === path && file.after === digest),
      );
      return accepted.at(-1)?.id ?? null;
    },
    // A decision on a job's message takes the message out of the agenda.
    async decide(id, decided, turn) {
      await proposals.decide(id, decided, turn);
      const job = jobOfSessionName((await proposals.get(id))?.by ?? "");
      if (job !== null && decided !== "open") await state.jobs.runs.dismiss(job);
      await settled();
    },
    markFiled: proposals.markFiled,
    orgConfig,
  };
}
