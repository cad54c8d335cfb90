import type { Message } from "../../signal/message.ts";
import { type Json, piecesIn, textsIn } from "../../text/json.ts";
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
      for (const { action } of message.calls) yield* textsIn(action.payload).map(({ text }) => text);
      return;
    case "result": {
      const { outcome } = message.result;
      if (outcome.status === "error") yield outcome.message;
      else yield* wholeTextsIn(outcome.content);
      return;
    }
    case "rejection":
      return;
  }
}

/**
 * The texts of a value, as one and as a reader may put them together: the lines of a file may be items of a
 * list, beside their paths.
 */
function* wholeTextsIn(content: Json): Generator<string> {
  yield* textsIn(content).map(({ text }) => text);
  yield* piecesIn(content).map((pieces) => pieces.join("\n"));
}
