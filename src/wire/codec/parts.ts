import { isJsonObject, type JsonObject } from "../../text/json.ts";

/** Code points that `:PART i :OF n` and its surroundings take in each frame. */
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
 * The texts of the frames of a message: one if it fits into `limit` code points, else several parts. Each part repeats the type and meta and
 * carries a piece of `:TEXT`; the first part has everything else. Throws if the message is too long without its text: a fault of this program.
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
  // A printed character takes at most two code points: a backslash and itself.
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

/** Joins the parts of messages. Each connection has its own. */
export type PartJoiner = {
  /** Takes the next message. A part that does not follow the one before it is an error. */
  readonly add: (message: JsonObject) => JoinResult;
};

/** A whole message: one that is not in parts, or a joined message once its last part has arrived; null before that. */
export type JoinResult =
  | { readonly ok: true; readonly message: JsonObject | null }
  | { readonly ok: false; readonly reason: string };

type Unfinished = { readonly first: JsonObject; readonly of: number; readonly texts: string[] };

/** Joins parts by their type, id, session and turn. The parts of several messages may be interleaved. */
export function makePartJoiner(): PartJoiner {
  const unfinished = new Map<string, Unfinished>();
  return {
    add: (message) => {
      const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
      const { part, of, text } = payload;
      if (part === undefined && of === undefined) return { ok: true, message };
      if (typeof part !== "number" || typeof of !== "number" || typeof text !== "string") {
        return { ok: false, reason: "A part of a message lacks :PART, :OF or :TEXT." };
      }
      const key = JSON.stringify([message["type"], message["id"] ?? null, message["meta"] ?? null]);
      const known = part === 1 ? { first: message, of, texts: [] } : unfinished.get(key);
      if (known === undefined || known.of !== of || known.texts.length !== part - 1) {
        return { ok: false, reason: `Part ${part} of ${of} does not follow the part before it.` };
      }
      known.texts.push(text);
      unfinished.set(key, known);
      if (part < of) return { ok: true, message: null };
      unfinished.delete(key);
      return { ok: true, message: whole(known) };
    },
  };
}

function whole({ first, texts }: Unfinished): JsonObject {
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

/** Pieces of at most `size` UTF-16 units. No surrogate pair is cut; a pair may exceed `size`. */
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
