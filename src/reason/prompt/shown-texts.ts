import { type Json, stringsIn } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";
import type { Prompt } from "./assemble-prompt.ts";

/**
 * The texts that a model was shown, as an answer could quote them. Forms of its own, accepted or rejected, are not among them, so that it may propose an
 * action again; their arguments are.
 */
export function* shownTexts({ formSystem, messages }: Prompt): Generator<string> {
  yield formSystem;
  for (const [index, message] of messages.entries()) {
    yield* textsOf(message, messages[index + 1]?.role === "rejection");
  }
}

function* textsOf(message: Message, isRejected: boolean): Generator<string> {
  switch (message.role) {
    case "user":
    case "attachment":
      yield message.text;
      return;
    case "assistant":
      if (message.native || (message.calls.length === 0 && !isRejected)) yield message.text;
      for (const { action } of message.calls) yield* stringsIn(action.payload).map(({ text }) => text);
      return;
    case "result": {
      const { outcome } = message.result;
      if (outcome.status === "error") yield outcome.message;
      else yield* textsIn(outcome.content);
      return;
    }
    case "rejection":
      return;
  }
}

/** The texts of a value, together and by their key: the lines of a file may be items of a list, beside their paths. */
function* textsIn(content: Json): Generator<string> {
  const strings = stringsIn(content);
  yield strings.map(({ text }) => text).join("\n");
  const byKey = Map.groupBy(strings, ({ path }) => path.replace(/^.*\/(?!\d+$)|\/\d+$/g, ""));
  if (byKey.size > 1) for (const group of byKey.values()) yield group.map(({ text }) => text).join("\n");
}
