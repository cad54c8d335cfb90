import type { Message } from "../../signal/message.ts";
import type { Provider } from "./model-port.ts";
import { labelOfMessage } from "./withhold-private.ts";

/**
 * Messages as a provider gets them by what their owner sent as it is: to that provider it is public, to any
 * other it stays what it is. A local one gets all.
 */
type AsSentTo = (
  messages: readonly Message[],
  provider: Pick<Provider, "name" | "local">,
) => readonly Message[];

/**
 * Makes it. It gives the same object for the same message and provider: what was sent before is found by its
 * identity.
 */
export function makeAsSentTo(): AsSentTo {
  const known = new WeakMap<Message, Map<string, Message>>();
  return (messages, { name, local }) => {
    if (local) return messages;
    return messages.map((message) => {
      const copies = known.get(message) ?? new Map<string, Message>();
      const copy = copies.get(name) ?? sentTo(message, name);
      if (copy === message) return message;
      known.set(message, copies.set(name, copy));
      return copy;
    });
  };
}

/** A yes of an older version names no provider, and counts for none. */
function sentTo(message: Message, provider: string): Message {
  if (message.role !== "user" && message.role !== "attachment") return message;
  if (message.asIsFor === provider)
    return { ...message, label: { ...labelOfMessage(message), secrecy: "public" } };
  if (message.role !== "user" || message.asIs === undefined) return message;
  const { asIs: _, ...rest } = message;
  return rest;
}
