import { sha256 } from "../machine/digest.ts";
import type { AttachmentMessage } from "../signal/attachment.ts";
import { bottomLabel, type Label } from "../signal/label.ts";

/**
 * A text of others that stands beside the words of a turn. It is data: it orders nothing and licenses
 * nothing.
 */
export function attachedText(
  { name, path, text }: { readonly name: string; readonly path: string; readonly text: string },
  secrecy: Label["secrecy"],
): AttachmentMessage {
  const digest = sha256(text);
  const sources = [{ id: digest, path: "/text" }];
  return {
    role: "attachment",
    file: { digest, name, path, media: "text/plain", bytes: Buffer.byteLength(text) },
    text,
    label: { ...bottomLabel, integrity: "untrusted", secrecy, sources },
  };
}

/** What a text that came by a pipe is called, in place of a file. */
export const pipeName = "standard input";

/** Whether a text came by a pipe. */
export function isFromPipe({ file }: AttachmentMessage): boolean {
  return file.path === pipeName;
}
