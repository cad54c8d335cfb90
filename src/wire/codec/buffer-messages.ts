import type { BufferAnswer, BufferRequest } from "../../signal/editor-buffer.ts";
import type { JsonObject } from "../../text/json.ts";

/**
 * The capability of a client that edits the unsaved buffers of its files, and of a daemon that asks it to.
 */
export const buffersCapability = "buffers";

/** The message that asks an editor for the text of a buffer, or for an edit of it. */
export function bufferMessage(request: BufferRequest): JsonObject {
  const { id, path } = request;
  if (request.kind === "text") return { type: "status", payload: { action: "buffer-text", id, path } };
  const { digest, expiresAt } = request;
  const replacements = request.replacements.map(({ begin, end, text }) => [begin, end, text]);
  const payload = { action: "buffer-edit", id, path, digest, replacements, "expires-at-ms": expiresAt };
  return { type: "status", payload };
}

/** The answer of an editor; what is no answer counts as a refusal without a known reason. */
export function bufferAnswerOf({ text, eol, bom, done, refused }: JsonObject): BufferAnswer {
  if (typeof refused === "string") return { kind: "refused", code: refused };
  if (done === true) return { kind: "done" };
  if (typeof text !== "string") return { kind: "refused", code: "" };
  return { kind: "text", text, eol: eol === "crlf" ? "crlf" : "lf", bom: bom === true };
}
