import type { RequestKey, Requests } from "../memory/state/requests.ts";
import { idTakenRefusal, type SubmitResult } from "./submit-result.ts";

/** A request under an id of its client. `content` is the whole request. */
export type IdempotentRequest = RequestKey & {
  readonly content: string;
  /** Running it a second time changes nothing more, so it is run again where its end is not known. */
  readonly repeatable: boolean;
};

/** Runs a request, unless it was run before under the same id: then it gives the reply of that time. */
export type RunOnce = (request: IdempotentRequest, act: () => Promise<SubmitResult>) => Promise<SubmitResult>;

/** Keeps a request on the disk before it runs, and its reply afterwards. A refusal did nothing and is not kept. */
export function makeRunOnce(requests: Requests): RunOnce {
  const running = new Map<string, { readonly content: string; readonly done: Promise<SubmitResult> }>();
  const begin = async (
    request: IdempotentRequest,
    act: () => Promise<SubmitResult>,
  ): Promise<SubmitResult> => {
    const begun = await requests.begin(request, request.content);
    if (begun.kind === "taken") return idTakenRefusal;
    if (begun.kind === "done") return JSON.parse(begun.outcome);
    if (begun.kind === "forgotten") return forgotten;
    if (begun.kind === "unknown" && !request.repeatable) return unknown;
    const result = await act();
    await requests.end(request, result.kind === "refused" ? null : JSON.stringify(result));
    return result;
  };
  return async (request, act) => {
    const key = JSON.stringify([request.session, request.client]);
    const before = running.get(key);
    if (before !== undefined) return before.content === request.content ? before.done : idTakenRefusal;
    const done = begin(request, act);
    running.set(key, { content: request.content, done });
    try {
      return await done;
    } finally {
      running.delete(key);
    }
  };
}

const forgotten: SubmitResult = {
  kind: "said",
  code: "done-before",
  text: "This request was done before, and not again now. What it said then was forgotten since.",
};

const unknown: SubmitResult = {
  kind: "said",
  code: "unknown-outcome",
  text: "This request was begun before, and Passepartout ended before it was done. It may have been done in part, and it was not done again. Check, and if you still want it, say it again (a client: under a new :ID).",
};
