import type { JsonObject } from "../../signal/json.ts";
import { type DecodeResult, makeDecoder } from "./decode.ts";
import { makeEncoder } from "./encode.ts";
import { clientMessages, daemonMessages } from "./schema-messages.ts";

/** What goes into and comes out of frames: text of exactly one form, and messages. Each end of the wire decodes what the other may send. */
export type Codec = {
  readonly decode: (text: string) => DecodeResult;
  readonly encode: (message: JsonObject) => string;
};

/** What the daemon uses: it reads clients' messages by a closed schema, and prints its own. */
export const daemonCodec: Codec = {
  decode: makeDecoder(clientMessages, "closed"),
  encode: makeEncoder(daemonMessages),
};

/** What a client uses: it reads the daemon's messages, drops keys that it does not know yet, and prints its own. */
export const clientCodec: Codec = {
  decode: makeDecoder(daemonMessages, "open"),
  encode: makeEncoder(clientMessages),
};
