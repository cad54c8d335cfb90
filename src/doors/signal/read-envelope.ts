import { createHash } from "node:crypto";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import type { ChatFile, ChatMessage, ChatPlace, ChatUpdate } from "../chat/chat-service.ts";

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
  quote: z.looseObject({ id: z.int(), authorNumber: text, text }).nullish(),
  mentions: z.array(personSchema.extend({ start: z.int(), length: z.int() })).nullish(),
  attachments: z
    .array(z.looseObject({ contentType: text, filename: text, id: text, size: z.number().nullish() }))
    .nullish(),
  textStyles: z
    .array(z.looseObject({ style: z.string(), start: z.int().min(0), length: z.int().min(0) }))
    .nullish(),
  groupInfo: z.looseObject({ groupId: z.string(), groupName: text }).nullish(),
});
const sourceSchema = z.looseObject({
  sourceNumber: text,
  sourceUuid: z.uuid(),
  sourceName: text,
  timestamp: z.int(),
});
const envelopeSchema = sourceSchema.extend({ dataMessage: dataSchema });
const editSchema = sourceSchema.extend({
  editMessage: z.looseObject({ targetSentTimestamp: z.int(), dataMessage: dataSchema }),
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
  if (value["exception"] !== undefined) return unknownUpdate(value);
  if (!read.success) return readEdit(envelope, number) ?? unknownUpdate(value);
  return readTap(read.data, number) ?? readMessage(read.data, number) ?? unknownUpdate(value);
}

/** Somebody changed what they had said. */
function readEdit(envelope: JsonObject, number: string): ChatUpdate | null {
  const read = editSchema.safeParse(envelope);
  if (!read.success) return null;
  const { editMessage, ...source } = read.data;
  const message = readMessage({ ...source, dataMessage: editMessage.dataMessage }, number);
  return message === null ? null : { ...message, isEdit: true };
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
  return { id: `unknown:${hash}`, kind: "unknown", body, ...fromOf(body["envelope"] ?? null) };
}

/** Who sent something of whatever kind, and in which chat; nothing where that is not told. */
function fromOf(envelope: Json): { readonly from?: { readonly chat: string; readonly sender: string } } {
  const read = z
    .looseObject({
      sourceUuid: z.uuid(),
      dataMessage: z.looseObject({ groupInfo: z.looseObject({ groupId: z.string() }).nullish() }).nullish(),
    })
    .safeParse(envelope);
  if (!read.success) return {};
  const { sourceUuid: sender, dataMessage } = read.data;
  return { from: { chat: dataMessage?.groupInfo?.groupId ?? sender, sender } };
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

/** What somebody means to say by it, and nobody here can read. */
const unreadableFields = ["sticker", "contacts", "payment", "pollCreate", "viewOnce"];

function readMessage(envelope: Envelope, number: string): ChatMessage | null {
  const { dataMessage: data } = envelope;
  const words = wordsOf(data, number);
  const files = (data.attachments ?? []).map(fileOf);
  const isEmpty = words === "" && files.length === 0;
  const isUnreadable = isEmpty && unreadableFields.some((field) => isMeant(data[field]));
  if (isEmpty && !isUnreadable) return null;
  const isMentioned = (data.mentions ?? []).some((one) => one.number === number);
  const chat = placeOf(envelope);
  return {
    id: idOf(envelope),
    kind: "message",
    chat,
    sender: senderOf(envelope),
    message: String(data.timestamp),
    text: words,
    ...(isUnreadable ? { isUnreadable } : {}),
    ...quotesOf(data),
    ...quotedOf(data, number),
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

const isMeant = (field: unknown): boolean => field !== undefined && field !== null && field !== false;

/** What the agent itself said stands in the session. */
function quotedOf({ quote }: Data, number: string): { readonly quoted?: string } {
  const isOthers = quote !== undefined && quote !== null && quote.authorNumber !== number;
  return isOthers && typeof quote.text === "string" && quote.text !== "" ? { quoted: quote.text } : {};
}

/** What is marked as code, as people mark what is not theirs. */
function quotesOf({ message, textStyles }: Data): { readonly quotes?: readonly string[] } {
  const quotes = (textStyles ?? []).flatMap(({ style, start, length }) =>
    style === "MONOSPACE" ? [(message ?? "").slice(start, start + length)] : [],
  );
  return quotes.length === 0 ? {} : { quotes };
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
