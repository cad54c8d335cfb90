import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatMessage, ChatService } from "./chat-service.ts";
import type { PostedMessage } from "./question-hook.ts";

/** Characters of a code: 40 bits. */
const codeCharacters = 8;
/** Characters of a name that are kept of a stranger. */
const longestName = 60;

/**
 * A code for an unknown sender, which is all that they ever get, once; null where nothing is said to them.
 * Codes are given only in the minutes after the owner asked for that at the terminal: whoever writes at any
 * other time learns nothing, and takes no code away from the owner. In a group only those who speak to this
 * program get one.
 */
export async function offerCode(
  { kernel, service }: { readonly kernel: ChatKernel; readonly service: Pick<ChatService, "name"> },
  { id, chat, sender, isAddressed, isForwarded }: ChatMessage,
): Promise<PostedMessage | null> {
  const window = kernel.pairingWindow();
  if (!isAddressed || isForwarded || kernel.clock() >= window.until) return null;
  const code = kernel.newCode(codeCharacters);
  const shown = {
    chat: chat.title.slice(0, longestName),
    sender: sender.name.slice(0, longestName),
    kind: chat.kind,
  };
  const pairing = { service: service.name, chat: chat.id, sender: sender.id, shown };
  if (!(await kernel.store.pairings.offer(pairing, { code, update: id, window }))) return null;
  const text = `This is a private agent. If it is yours, type on its machine within an hour:\npassepartout gateway link ${service.name} ${code}`;
  return {
    key: `${service.name}:${id}:code`,
    chat: chat.id,
    message: { text, format: "plain" },
    isForAnybody: true,
  };
}
