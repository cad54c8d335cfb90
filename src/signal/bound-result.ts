import { cutMiddle } from "../text/cut-middle.ts";
import { isJsonArray, isJsonObject, type Json } from "../text/json.ts";
import type { Message } from "./message.ts";

/**
 * Characters of one result that a model gets at most; all that is kept of it is read by the tool
 * `read-result`.
 */
export const longestResult = 40_000;
/** Characters that any text of a result gets, however little room there is. */
const leastText = 200;

/** Messages that were cut before: the history of a session is a part of each prompt. */
const known = new WeakMap<Message, { readonly most: number; readonly bounded: Message }>();

/**
 * A message as a model gets it: a result that is longer than `most` characters is cut, and says how the rest
 * is read. The same object if nothing changes, and the same for the same message.
 */
export function boundResult(message: Message, most: number): Message {
  if (message.role !== "result") return message;
  const before = known.get(message);
  if (before?.most === most) return before.bounded;
  const bounded = boundAnew(message, most);
  known.set(message, { most, bounded });
  return bounded;
}

/** Words that were cut before. */
const knownWords = new WeakMap<Message, { readonly most: number; readonly bounded: Message }>();

/**
 * The words of a person as a later turn sees them: what is longer than `longest` characters keeps about
 * `most`
 * of them, at its head and its tail. The same object if nothing changes, and the same for the same message.
 */
export function boundWords(message: Message, longest: number, most: number): Message {
  if (message.role !== "user" || message.text.length <= longest) return message;
  const before = knownWords.get(message);
  if (before?.most === most) return before.bounded;
  const text = cutMiddle(message.text, most);
  const bounded = { ...message, text, ...(message.asIs === message.text ? { asIs: text } : {}) };
  knownWords.set(message, { most, bounded });
  return bounded;
}

function boundAnew(message: Extract<Message, { readonly role: "result" }>, most: number): Message {
  const { outcome, id } = message.result;
  const shown = outcome.status === "success" ? outcome.content : outcome.message;
  const length = lengthOf(shown);
  if (length <= most) return message;
  const left = `Of ${length.toLocaleString("en-US")} characters a part is left out here. The tool read-result with "result": "${id}" reads all of them.`;
  const cut =
    outcome.status === "success"
      ? { ...outcome, content: withWord(cutJson(outcome.content, most), left) }
      : { ...outcome, message: `${cutMiddle(outcome.message, most)}\n(${left})` };
  return { ...message, result: { ...message.result, outcome: cut } };
}

function withWord(content: Json, word: string): Json {
  if (isJsonObject(content)) return { ...content, "left-out": word };
  return isJsonArray(content) ? [...content, `(${word})`] : `${String(content)}\n(${word})`;
}

/**
 * A value in about so many characters of JSON. Long texts keep head and tail, lists and objects their
 * beginning, so that places in them stay what they are; what is short is kept whole, and the rest shares
 * what is left.
 */
export function cutJson(value: Json, most: number): Json {
  if (lengthOf(value) <= most) return value;
  if (typeof value === "string") return cutMiddle(value, Math.max(leastText, most));
  if (isJsonArray(value)) {
    const kept = share(value, most).map(([item, room]) => cutJson(item, room));
    return kept.length === value.length
      ? kept
      : [...kept, `[… ${value.length - kept.length} more left out …]`];
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  const rooms = share(
    entries.map(([, item]) => item),
    most,
  );
  const kept = entries
    .slice(0, rooms.length)
    .map(([key, item], at) => [key, cutJson(item, rooms[at]?.[1] ?? 0)] as const);
  return Object.fromEntries(kept);
}

/** The first items for which there is room, each with the characters that it may have. */
function share(items: readonly Json[], most: number): readonly (readonly [Json, number])[] {
  const sizes = items.map(lengthOf);
  const count = Math.max(1, Math.min(items.length, Math.floor(most / leastText)));
  const first = sizes.slice(0, count);
  let left = most;
  let open = first.length;
  const rooms = new Map<number, number>();
  for (const at of [...first.keys()].sort((a, b) => (first[a] ?? 0) - (first[b] ?? 0))) {
    const room = Math.min(first[at] ?? 0, Math.floor(left / open));
    rooms.set(at, room);
    left -= room;
    open -= 1;
  }
  return items.slice(0, count).map((item, at) => [item, rooms.get(at) ?? 0] as const);
}

/** The characters of a value: of a text its own, of any other its JSON. */
function lengthOf(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}
