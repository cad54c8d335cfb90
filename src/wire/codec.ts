import type { JsonObject } from "../signal/json.ts";

/** A message of a peer as it was read: JSON-shaped, keys in lower case, or what is wrong with it and where. */
export type Decoded =
  | { readonly ok: true; readonly message: JsonObject }
  | { readonly ok: false; readonly code: string; readonly text: string; readonly offset: number };

/** What goes into and comes out of frames: text of exactly one form, and messages. Each end of the wire decodes what the other may send. */
export type Codec = {
  readonly decode: (text: string) => Decoded;
  readonly encode: (message: JsonObject) => string;
};
