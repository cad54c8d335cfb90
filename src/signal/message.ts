import type { Json } from "../text/json.ts";
import type { Call } from "./action.ts";
import type { AttachmentMessage } from "./attachment.ts";
import { joinConversationLabels, type Label } from "./label.ts";
import type { ToolResult } from "./tool.ts";

/** One entry in the transcript of a turn or session. Prompts are made from these entries. */
export type Message =
  | {
      readonly role: "user";
      readonly text: string;
      readonly label: Label;
      /** The part of the text that the owner said to send as it is: what of it stands in a private text is not withheld. */
      readonly asIs?: string;
      /**
       * The only provider that is not local to which they said that. Missing where an older version asked:
       * then there is none.
       */
      readonly asIsFor?: string;
      /** True for words that the owner said while the turn ran: they ask and allow like its first words. */
      readonly steers?: true;
      /** What of such words was pasted; left out where all was typed. */
      readonly pastes?: readonly string[];
      /** True for what the program tells a model beside the words of a person. */
      readonly told?: true;
    }
  /** A file that the owner handed over with the words before it. */
  | AttachmentMessage
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly Call[];
      /** False if the calls came as a form in the text. Their results then go back as text, too. */
      readonly native: boolean;
      /** The provider that answered, and its raw parts. They are replayed unchanged to the same provider. */
      readonly provider: string;
      /** The model that answered; missing where an older version kept the answer. */
      readonly model?: string;
      readonly raw: Json;
      readonly label: Label;
    }
  | {
      readonly role: "result";
      readonly callId: string;
      readonly native: boolean;
      readonly result: ToolResult;
    }
  /** Tells the model what the judge or the parser rejected, so that it can correct itself. */
  | { readonly role: "rejection"; readonly text: string; readonly label: Label };

/** The join of the labels of all messages, with its latest sources only. */
export function conversationLabel(
  messages: readonly Message[],
  join: (labels: readonly Label[]) => Label = joinConversationLabels,
): Label {
  return join(messages.map((message) => (message.role === "result" ? message.result.label : message.label)));
}
