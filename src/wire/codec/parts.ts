import { isJsonObject, type JsonObject } from "../../signal/json.ts";

/** Room that `:PART i :OF n` and the like take in each frame. Code points. */
const room = 64;

/** The number of Unicode code points in a text. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isPair(text, index)) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/**
 * A message as texts of frames: itself where it fits into `limit` code points, else in parts, which repeat its type and meta and carry a piece
 * of its `:TEXT` each; the first has all the rest. A message that is too long without its text throws: it is our own mistake.
 */
export function splitMessage(
  message: JsonObject,
  encode: (message: JsonObject) => string,
  limit: number,
): readonly string[] {
  const whole = encode(message);
  if (whole.length <= limit || countCodePoints(whole) <= limit) return [whole];
  const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
  const { text } = payload;
  if (typeof text !== "string") throw tooLong(whole);
  const around = countCodePoints(encode({ ...message, payload: { ...payload, text: "" } }));
  // A printed character takes two at most: itself and its backslash.
  const size = Math.floor((limit - around - room) / 2);
  if (size < 1) throw tooLong(whole);
  const pieces = cut(text, size);
  return pieces.map((piece, index) => {
    const counted = { text: piece, part: index + 1, of: pieces.length };
    if (index === 0) return encode({ ...message, payload: { ...payload, ...counted } });
    return encode({ ...envelopeOf(message), payload: { ...actionOf(payload), ...counted } });
  });
}

function tooLong(whole: string): RangeError {
  const length = countCodePoints(whole);
  return new RangeError(`A message of ${length} code points has no text that could be cut to make it fit.`);
}

/** Puts parts together again; one for each connection. */
export type PartJoiner = {
  /** Parts that do not follow each other give an error. */
  readonly add: (message: JsonObject) => JoinResult;
};

/** A whole message: itself where it is no part, with the last part the joined one, null before that. */
export type JoinResult =
  | { readonly ok: true; readonly message: JsonObject | null }
  | { readonly ok: false; readonly reason: string };

type Begun = { readonly first: JsonObject; readonly of: number; readonly texts: string[] };

/** Joins the parts of messages that may come interleaved, by their id, session and turn. */
export function makePartJoiner(): PartJoiner {
  const begun = new Map<string, Begun>();
  return {
    add: (message) => {
      const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
      const { part, of, text } = payload;
      if (part === undefined && of === undefined) return { ok: true, message };
      if (typeof part !== "number" || typeof of !== "number" || typeof text !== "string") {
        return { ok: false, reason: "A part of a message lacks :PART, :OF or :TEXT." };
      }
      const key = JSON.stringify([message["type"], message["id"] ?? null, message["meta"] ?? null]);
      const known = part === 1 ? { first: message, of, texts: [] } : begun.get(key);
      if (known === undefined || known.of !== of || known.texts.length !== part - 1) {
        return { ok: false, reason: `Part ${part} of ${of} does not follow the part before it.` };
      }
      known.texts.push(text);
      begun.set(key, known);
      if (part < of) return { ok: true, message: null };
      begun.delete(key);
      return { ok: true, message: whole(known) };
    },
  };
}

function whole({ first, texts }: Begun): JsonObject {
  const payload = isJsonObject(first["payload"]) ? first["payload"] : {};
  const { part: _part, of: _of, ...rest } = payload;
  return { ...first, payload: { ...rest, text: texts.join("") } };
}

function envelopeOf({ type, id, meta }: JsonObject): JsonObject {
  return {
    ...(type === undefined ? {} : { type }),
    ...(id === undefined ? {} : { id }),
    ...(meta === undefined ? {} : { meta }),
  };
}

function actionOf({ action }: JsonObject): JsonObject {
  return action === undefined ? {} : { action };
}

/** Pieces of at most `size` UTF-16 units that cut no surrogate pair, unless a single pair is longer. */
function cut(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, start + size);
    const stop = end < text.length && isPair(text, end - 1) ? (end - 1 > start ? end - 1 : end + 1) : end;
    pieces.push(text.slice(start, stop));
    start = stop;
  }
  return pieces;
}

function isPair(text: string, index: number): boolean {
  const first = text.charCodeAt(index);
  const second = text.charCodeAt(index + 1);
  return first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
}
