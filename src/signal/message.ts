import type { Call } from "./action.ts";
import type { Json } from "./json.ts";
import type { Label } from "./label.ts";
import type { ToolResult } from "./tool.ts";

/** One entry of a turn's or session's transcript, as it is kept and as a prompt is made from it. */
export type Message =
  | { readonly role: "user"; readonly text: string; readonly label: Label }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly Call[];
      /** False where the calls came as a form in the text, so that their results go back as text too. */
      readonly native: boolean;
      /** The provider that answered and its raw parts, which are replayed to the same provider as they were. */
      readonly provider: string;
      readonly raw: Json;
      readonly label: Label;
    }
  | {
      readonly role: "result";
      readonly callId: string;
      readonly native: boolean;
      readonly result: ToolResult;
    }
  /** What the judge or the parser refused, told to the model so that it can correct itself. */
  | { readonly role: "rejection"; readonly text: string; readonly label: Label };
