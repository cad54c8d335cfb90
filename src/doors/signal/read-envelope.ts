import { createHash } from "node:crypto";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import type { ChatFile, ChatPlace, ChatUpdate } from "../chat/chat-service.ts";

const text = z.string().nullish();
const personSchema = z.looseObject({ number: text, uuid: text });
const dataSchema = z.looseObject({
  timestamp: z.int(),
  message: text,
  reaction: z
    .looseObject({
      emoji: z.string(),
      targetAuthorNumber: text,
      targetSentTimestamp: z.int(),
      isRemove: z.boolean(),
    })
    .nullish(),
  quote: z.looseObject({ id: z.int(), authorNumber: text }).nullish(),
  mentions: z.array(personSchema.extend({ start: z.int(), length: z.int() })).nullish(),
  attachments: z
    .array(z.looseObject({ contentType: text, filename: text, id: text, size: z.number().nullish() }))
    .nullish(),
  groupInfo: z.looseObject({ groupId: z.string(), groupName: text }).nullish(),
});
const envelopeSchema = z.looseObject({
  sourceNumber: text,
  sourceUuid: z.uuid(),
  sourceName: text,
  timestamp: z.int(),
  dataMessage: dataSchema,
});

type Envelope = z.infer<typeof envelopeSchema>;
type Data = Envelope["dataMessage"];

/** What is no news for anybody: receipts, who is typing, calls, and what the account's other devices sent. */
const notNews = ["receiptMessage", "typingMessage", "callMessage", "syncMessage"];

/**
 * Reads what `receive` gave of one message, as the daemon of `number` tells it. Null where it is no news. A
 * sender is known by the account's UUID: numbers change hands. What comes twice has the same id.
 */
export function readEnvelope(value: Json, number: string): ChatUpdate | null {
  const envelope = isJsonObject(value) ? (value["envelope"] ?? null) : null;
  if (!isJsonObject(value) || !isJsonObject(envelope)) return unknownUpdate(value);
  if (notNews.some((name) => isJsonObject(envelope[name] ?? null))) return null;
  const read = envelopeSchema.safeParse(envelope);
  if (!read.success || value["exception"] !== undefined) return unknownUpdate(value);
  return readTap(read.data, number) ?? readMessage(read.data, number) ?? unknownUpdate(value);
}

/** Why a message could not be read by signal-cli itself; null where it could. */
export function exceptionOf(value: Json): string | null {
  const exception = isJsonObject(value) ? (value["exception"] ?? null) : null;
  if (!isJsonObject(exception)) return null;
  return `${String(exception["type"] ?? "")}: ${String(exception["message"] ?? "")}`.slice(0, 200);
}

function unknownUpdate(value: Json): ChatUpdate {
  const body: JsonObject = isJsonObject(value) ? value : { value };
  const hash = createHash("sha256").update(JSON.stringify(value)).digest("base64url");
  return { id: `unknown:${hash}`, kind: "unknown", body };
}

const idOf = ({ sourceUuid, timestamp }: Envelope): string => `${sourceUuid}:${timestamp}`;

/** A reaction to a message of this account, in the chat where it was made. */
function readTap(envelope: Envelope, number: string): ChatUpdate | null {
  const { reaction } = envelope.dataMessage;
  if (reaction === undefined || reaction === null) return null;
  const { emoji, isRemove, targetAuthorNumber: author, targetSentTimestamp: target } = reaction;
  const chat = placeOf(envelope);
  return {
    id: idOf(envelope),
    kind: "tap",
    chat,
    sender: senderOf(envelope),
    // A message of anybody else, sent at the same time, has another name.
    message: author === number ? String(target) : `${author ?? "unknown"}:${target}`,
    handle: isRemove ? "" : emoji,
    tap: chat.id,
  };
}

function readMessage(envelope: Envelope, number: string): ChatUpdate | null {
  const { dataMessage: data } = envelope;
  const words = wordsOf(data, number);
  const files = (data.attachments ?? []).map(fileOf);
  if (words === "" && files.length === 0) return null;
  const isMentioned = (data.mentions ?? []).some((one) => one.number === number);
  const chat = placeOf(envelope);
  return {
    id: idOf(envelope),
    kind: "message",
    chat,
    sender: senderOf(envelope),
    message: String(data.timestamp),
    text: words,
    // Signal does not tell what was forwarded.
    isForwarded: false,
    isAddressed:
      chat.kind === "private" ||
      isMentioned ||
      data.quote?.authorNumber === number ||
      /^\/[a-z]+$/i.test(words),
    replyTo: data.quote === undefined || data.quote === null ? null : String(data.quote.id),
    files,
  };
}

/**
 * The text of a message. Where somebody is mentioned the service leaves a place holder: the agent's own says
 * nothing.
 */
function wordsOf({ message, mentions }: Data, number: string): string {
  const inReverse = (mentions ?? []).toSorted((one, other) => other.start - one.start);
  return inReverse
    .reduce((words, { start, length, ...who }) => {
      const name = who.number === number ? "" : `@${who.number ?? who.uuid ?? "somebody"}`;
      return `${words.slice(0, start)}${name}${words.slice(start + length)}`;
    }, message ?? "")
    .trim();
}

function placeOf({ sourceUuid, dataMessage: { groupInfo }, ...envelope }: Envelope): ChatPlace {
  if (groupInfo !== undefined && groupInfo !== null)
    return { id: groupInfo.groupId, kind: "group", title: groupInfo.groupName ?? "" };
  return { id: sourceUuid, kind: "private", title: envelope.sourceName ?? "" };
}

function senderOf({ sourceUuid, sourceName, sourceNumber }: Envelope) {
  const names = [sourceName, sourceNumber].filter((name) => typeof name === "string" && name !== "");
  return { id: sourceUuid, name: names.join(", ") || sourceUuid, isBot: false };
}

function fileOf(
  { contentType, filename, id, size }: NonNullable<Data["attachments"]>[number],
  index: number,
): ChatFile {
  const type = contentType ?? "";
  const kind = type.startsWith("image/") ? "photo" : type.startsWith("audio/") ? "voice" : "file";
  const name = filename ?? `${kind}${index + 1}`;
  return { id: id ?? "", kind, name, bytes: size ?? null, seconds: null };
}
