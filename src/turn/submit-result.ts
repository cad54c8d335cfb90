import type { Json } from "../text/json.ts";

/** The reply to a signal or a command. It is kept under the client's id as it is. */
export type SubmitResult =
  /** The signal began a turn, or was sent before and began this turn then (`fresh` is false). */
  | { readonly kind: "turn"; readonly turn: string; readonly session: string; readonly fresh: boolean }
  /** The reply is known at once. `code` says in a kebab-case word what `text` says. */
  | {
      readonly kind: "said";
      readonly code: string;
      readonly text: string;
      /** The reply as data, where a client can show more of it than the text. */
      readonly data?: Json;
      /** The number of a snapshot that was taken. */
      readonly snapshot?: string;
      /** Texts that are near in meaning. */
      readonly near?: readonly NearReply[];
    }
  | { readonly kind: "refused"; readonly code: string; readonly text: string };

/** A note, or a message of a session, that is near in meaning: so many thousandths of a standard deviation above the mean of its kind. */
export type NearReply = { readonly kind: "note" | "said"; readonly id: string; readonly thousandths: number };

/** The refusal of a client's id that stands for something else already. */
export const idTakenRefusal: SubmitResult = {
  kind: "refused",
  code: "id-taken",
  text: "This :ID was used in this session for something else, so nothing was done. Send it again under a new, random :ID.",
};
