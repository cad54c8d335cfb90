import type { AttachmentMessage } from "../../signal/attachment.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Json } from "../../text/json.ts";

type Assistant = Extract<Message, { readonly role: "assistant" }>;

/** An answer of a model. */
export const answer = (text: string, more: Partial<Assistant> = {}): Assistant => ({
  role: "assistant",
  text,
  calls: [],
  native: true,
  provider: "other",
  raw: null,
  label: bottomLabel,
  ...more,
});
/** An answer with one call. */
export const callOf = (id: string, path = "a", text = ""): Assistant => {
  const action = { target: "tool", payload: { tool: "read-file", args: { path } }, explanation: "why" };
  return answer(text, { calls: [{ id, action }] });
};
/** The result of a call. */
export const resultOf = (callId: string, content: Json): Message => ({
  role: "result",
  callId,
  native: true,
  result: {
    id: `r-${callId}`,
    tool: "read-file",
    outcome: { status: "success", content },
    label: bottomLabel,
  },
});
/** The result of a call that failed. */
export const failedResultOf = (callId: string, message: string): Message => ({
  role: "result",
  callId,
  native: true,
  result: {
    id: `r-${callId}`,
    tool: "read-file",
    outcome: { status: "error", code: "not-found", message, step: message },
    label: bottomLabel,
  },
});
/** A file of the owner. */
export const attached = (media: "image/png" | "application/pdf", text = ""): AttachmentMessage => ({
  role: "attachment",
  file: {
    digest: "d",
    name: "shot.png",
    path: "/w/shot.png",
    media,
    bytes: 3_000_000,
    width: 9,
    height: 9,
    pages: 1,
  },
  text,
  label: bottomLabel,
});
/** The kept parts of an answer. */
export const raw = (parts: readonly Json[]): Json => ({ provider: "first", model: "m", parts });
/** A rejection. */
export const rejected = (text: string): Message => ({ role: "rejection", text, label: bottomLabel });
