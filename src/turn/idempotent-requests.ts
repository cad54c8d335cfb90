import type { RequestKey, Requests } from "../memory/state/requests.ts";
import { idTaken, type Submitted } from "./turn-loop.ts";

/** What a client asks for under an id of its own; `content` is all that it says. */
export type AskedOnce = RequestKey & {
  readonly content: string;
  /** Doing it a second time does nothing more, so where nothing is known of its end it is done again. */
  readonly harmless: boolean;
};

/** Does what is asked, unless it was done before under the same id: then it gives what that came to. */
export type Once = (asked: AskedOnce, act: () => Promise<Submitted>) => Promise<Submitted>;

/** Keeps on disk what was asked before it is done, and after it what it came to; a refusal did nothing and is not kept. */
export function makeOnce(requests: Requests): Once {
  const underWay = new Map<string, { readonly content: string; readonly done: Promise<Submitted> }>();
  const begin = async (asked: AskedOnce, act: () => Promise<Submitted>): Promise<Submitted> => {
    const begun = await requests.begin(asked, asked.content);
    if (begun.kind === "taken") return idTaken;
    if (begun.kind === "done") return JSON.parse(begun.outcome);
    if (begun.kind === "unknown" && !asked.harmless) return unknown;
    const said = await act();
    await requests.end(asked, said.kind === "refused" ? null : JSON.stringify(said));
    return said;
  };
  return async (asked, act) => {
    const key = JSON.stringify([asked.session, asked.client]);
    const before = underWay.get(key);
    if (before !== undefined) return before.content === asked.content ? before.done : idTaken;
    const done = begin(asked, act);
    underWay.set(key, { content: asked.content, done });
    try {
      return await done;
    } finally {
      underWay.delete(key);
    }
  };
}

const unknown: Submitted = {
  kind: "said",
  code: "unknown-outcome",
  text: "This was begun before, and Passepartout ended before it was done: how much of it was done is not known, and it was not done again. Look, and where it is still wanted send it under a new :ID.",
};
