import type { RequestKey, Requests } from "../memory/state/requests.ts";
import { idTakenRefusal, type SubmitResult } from "./submit-result.ts";

/** What a client asks for under an id of its own; `content` is all that it says. */
export type IdempotentRequest = RequestKey & {
  readonly content: string;
  /** Doing it a second time does nothing more, so where nothing is known of its end it is done again. */
  readonly repeatable: boolean;
};

/** Does what is asked, unless it was done before under the same id: then it gives what that came to. */
export type RunOnce = (asked: IdempotentRequest, act: () => Promise<SubmitResult>) => Promise<SubmitResult>;

/** Keeps on disk what was asked before it is done, and after it what it came to; a refusal did nothing and is not kept. */
export function makeRunOnce(requests: Requests): RunOnce {
  const underWay = new Map<string, { readonly content: string; readonly done: Promise<SubmitResult> }>();
  const begin = async (asked: IdempotentRequest, act: () => Promise<SubmitResult>): Promise<SubmitResult> => {
    const begun = await requests.begin(asked, asked.content);
    if (begun.kind === "taken") return idTakenRefusal;
    if (begun.kind === "done") return JSON.parse(begun.outcome);
    if (begun.kind === "unknown" && !asked.repeatable) return unknown;
    const said = await act();
    await requests.end(asked, said.kind === "refused" ? null : JSON.stringify(said));
    return said;
  };
  return async (asked, act) => {
    const key = JSON.stringify([asked.session, asked.client]);
    const before = underWay.get(key);
    if (before !== undefined) return before.content === asked.content ? before.done : idTakenRefusal;
    const done = begin(asked, act);
    underWay.set(key, { content: asked.content, done });
    try {
      return await done;
    } finally {
      underWay.delete(key);
    }
  };
}

const unknown: SubmitResult = {
  kind: "said",
  code: "unknown-outcome",
  text: "This was begun before, and Passepartout ended before it was done: how much of it was done is not known, and it was not done again. Look, and where it is still wanted send it under a new :ID.",
};
