import type { Delivery } from "../../signal/actuator.ts";
import type { ChatAddresses } from "./chat-addresses.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatService } from "./chat-service.ts";
import { outgoingOf, type PostedMessage } from "./question-hook.ts";
import type { OutboxSender } from "./send-outbox.ts";
import { splitText } from "./split-text.ts";

/** What telling the owner needs. */
export type TellParts = {
  readonly kernel: ChatKernel;
  readonly service: ChatService;
  readonly addresses: ChatAddresses;
  readonly sender: OutboxSender;
};

/** Milliseconds that a proof of delivery is waited for. */
const patience = 30_000;
/** Characters of an id that no other message has. */
const idCharacters = 24;

/**
 * Tells the owner something in the chat of a session, or else in their private chat. It is on disk before it
 * is sent, and is sent once, however long that takes.
 */
export async function tellOwner(
  parts: TellParts,
  told: { readonly session: string; readonly text: string },
  closing: AbortSignal,
): Promise<Delivery> {
  const { name, title } = parts.service;
  const last = await postToOwner(parts, told);
  if (last === null) return { delivered: false, reason: `no private chat of ${title} is linked` };
  const patient = AbortSignal.any([closing, AbortSignal.timeout(patience)]);
  await parts.sender.settled(last, patient);
  const state = await parts.kernel.store.outbox.find(name, last);
  if (state?.state === "sent") return { delivered: true };
  const later = `${title} cannot be reached now. It is kept, and sent once that works: do not send it again`;
  return { delivered: false, reason: state?.reason ?? later };
}

/**
 * Puts it on its way. Gives the key of its last part; null where there is no chat for it. A group is told
 * nothing.
 */
export async function postToOwner(
  { kernel, service: { name, limits }, addresses }: TellParts,
  { session, text }: { readonly session: string; readonly text: string },
): Promise<string | null> {
  const own = addresses.ownerChat();
  const of = await addresses.chatOf(session);
  const chat = of !== null && addresses.ownerIn(of)?.kind === "private" ? of : own?.chat;
  if (chat === undefined) return null;
  const id = kernel.newCode(idCharacters);
  const messages = splitText(text, limits.characters).map(
    (part, index): PostedMessage => ({
      key: `${name}:told:${id}:${index}`,
      chat,
      message: { text: part, format: "markdown" },
    }),
  );
  await kernel.store.outbox.put(name, messages.map(outgoingOf));
  return messages.at(-1)?.key ?? null;
}
