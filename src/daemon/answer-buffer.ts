import type { JsonObject } from "../text/json.ts";
import type { SubmitResult } from "../turn/submit-result.ts";
import { bufferAnswerOf } from "../wire/codec/buffer-messages.ts";
import { type ClientContext, sendReply } from "./publish-events.ts";

/** The answer of an editor about a buffer. It is kept nowhere. */
export const answeringBuffer = "answer-buffer";

type Request = { readonly id: string | null; readonly payload: JsonObject };

const taken: SubmitResult = { kind: "said", code: "buffer-answered", text: "Taken." };

/** Takes what an editor answers about a buffer that it was asked about. */
export function answerBuffer({ agent, client, enqueue }: ClientContext, { id, payload }: Request): void {
  const asked = typeof payload["request"] === "string" ? payload["request"] : "";
  agent.editors.answer(client.connection.id, asked, bufferAnswerOf(payload));
  if (id !== null) enqueue(() => sendReply({ agent, client }, id, taken));
}
