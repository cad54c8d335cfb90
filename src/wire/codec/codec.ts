import type { JsonObject } from "../../text/json.ts";
import { type DecodeResult, makeDecoder } from "./decode.ts";
import { makeEncoder } from "./encode.ts";
import { clientMessages, daemonMessages } from "./schema-messages.ts";

/** Translates between messages and the text of frames, which is exactly one form. Each end of the wire decodes what the other end may send. */
export type Codec = {
  readonly decode: (text: string) => DecodeResult;
  readonly encode: (message: JsonObject) => string;
};

/** The daemon's codec: it refuses unknown keys in clients' messages. */
export const daemonCodec: Codec = {
  decode: makeDecoder(clientMessages, "closed"),
  encode: makeEncoder(daemonMessages),
};

/** A client's codec: it drops keys of the daemon's messages that it does not know yet. */
export const clientCodec: Codec = {
  decode: makeDecoder(daemonMessages, "open"),
  encode: makeEncoder(clientMessages),
};
