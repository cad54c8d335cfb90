import type { Gate } from "./judge.ts";

/**
 * What passes because of the owner's words waits until the model has read their newest ones, which may take
 * it back.
 */
export const unreadWords: Gate = {
  name: "unread-words",
  priority: 790,
  revision: 1,
  answer(_effect, { unreadWords: isUnread = false }) {
    if (!isUnread) return { result: "not-concerned" };
    return {
      result: "block",
      code: "unread-words",
      reason:
        "the owner said something new to this request, and this act rests on what they said before: nothing of the kind is done until those words are read",
    };
  },
};
