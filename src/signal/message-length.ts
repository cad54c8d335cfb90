import { tokensOfFile } from "./attachment.ts";
import type { Message } from "./message.ts";

/** Characters of what a prompt shows of a message. */
export function promptLength(message: Message): number {
  switch (message.role) {
    case "user":
    case "rejection":
      return message.text.length;
    case "assistant":
      return message.text.length + JSON.stringify(message.calls).length;
    case "attachment":
      return message.text.length + 4 * tokensOfFile(message.file);
    case "result":
      return JSON.stringify(message.result.outcome).length;
  }
}
