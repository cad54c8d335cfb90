import type { JsonObject } from "../text/json.ts";
import { sizeProblem } from "../text/terminal-size.ts";
import type { SubmitResult } from "../turn/submit-result.ts";
import { sizeOf } from "../wire/codec/terminal-sizes.ts";
import { type ClientContext, sendReply } from "./publish-events.ts";

type Request = { readonly id: string | null; readonly session: string; readonly payload: JsonObject };

/** Takes the size of the client's terminal, for programs of the session that run on one. */
export function resizeTerminals(
  { agent, client, enqueue }: ClientContext,
  { id, session, payload }: Request,
): void {
  const size = sizeOf(payload);
  const problem = sizeProblem(size);
  if (problem === null) agent.tellSize(session, size);
  const text = `Programs on a terminal get ${size.rows} rows and ${size.columns} columns.`;
  const result: SubmitResult =
    problem === null
      ? { kind: "said", code: "terminal-size", text }
      : { kind: "refused", code: "bad-size", text: problem };
  enqueue(() => sendReply({ agent, client }, id, result));
}
