import { createHash } from "node:crypto";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { oneLine } from "../../text/visible.ts";
import type { ChatFile, ChatMessage, ChatPlace, ChatUpdate } from "../chat/chat-service.ts";
import { longestWords } from "../chat/mark-words.ts";
import { unknownUpdate } from "../chat/unknown-update.ts";
import { readWords } from "./read-words.ts";

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
    .array(
      z.looseObject({
        contentType: text,
        filename: text,
        id: text,
        size: z.number().nullish(),
        isVoiceNote: z.boolean().nullish(),
      }),
    )
    .nullish(),
  textStyles: z.array(z.looseObject({ style: z.string(), start: z.int(), length: z.int() })).nullish(),
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
  if (!isJsonObject(value) || !isJsonObject(envelope)) return unknownOf(value);
  if (notNews.some((name) => isJsonObject(envelope[name] ?? null))) return null;
  const read = envelopeSchema.safeParse(envelope);
  if (value["exception"] !== undefined) return unknownOf(value);
  if (!read.success) return readEdit(envelope, number) ?? unknownOf(value);
  return readTap(read.data, number) ?? readMessage(read.data, number) ?? unknownOf(value);
}

/** Somebody changed what they had said. */
function readEdit(envelope: JsonObject, number: string): ChatUpdate | null {
  const read = editSchema.safeParse(envelope);
  if (!read.success) return null;
  const { editMessage, ...source } = read.data;
  const message = readMessage({ ...source, dataMessage: editMessage.dataMessage }, number);
  return message === null ? null : { ...message, isEdit: true };
}

/**
 * Why a message could not be read by signal-cli itself, and whose it is, where that is known; null where it
 * could.
 */
export function unreadOf(value: Json): {
  readonly exception: string;
  readonly sender: string | null;
  readonly isUntrusted: boolean;
} | null {
  const exception = isJsonObject(value) ? (value["exception"] ?? null) : null;
  if (!isJsonObject(value) || !isJsonObject(exception)) return null;
  const type = String(exception["type"] ?? "");
  const read = z.looseObject({ sourceUuid: z.uuid() }).safeParse(value["envelope"]);
  return {
    exception: oneLine(`${type}: ${String(exception["message"] ?? "")}`.slice(0, 200)),
    sender: read.success ? read.data.sourceUuid : null,
    isUntrusted: type === "UntrustedIdentityException",
  };
}

function unknownOf(value: Json): ChatUpdate {
  const body: JsonObject = isJsonObject(value) ? value : { value };
  const hash = createHash("sha256").update(JSON.stringify(value)).digest("base64url");
  const envelope = body["envelope"] ?? null;
  return unknownUpdate(`unknown:${hash}`, isJsonObject(envelope) ? envelope : body, fromOf(envelope));
}

/** Who sent something of whatever kind, and in which chat; nothing where that is not told. */
function fromOf(envelope: Json): { readonly chat: string; readonly sender: string } | null {
  const read = z
    .looseObject({
      sourceUuid: z.uuid(),
      dataMessage: z.looseObject({ groupInfo: z.looseObject({ groupId: z.string() }).nullish() }).nullish(),
    })
    .safeParse(envelope);
  if (!read.success) return null;
  const { sourceUuid: sender, dataMessage } = read.data;
  return { chat: dataMessage?.groupInfo?.groupId ?? sender, sender };
}

/** A sender may say two things in one millisecond, by two devices. */
function idOf({ sourceUuid, timestamp, dataMessage: { message, reaction } }: Envelope): string {
  const hash = createHash("sha256").update(JSON.stringify([message ?? null, reaction ?? null]));
  return `${sourceUuid}:${timestamp}:${hash.digest("base64url").slice(0, 8)}`;
}

/** UTF-16 code units of one emoji, of however many parts. */
const longestEmoji = 32;

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
    handle: isRemove ? "" : emoji.slice(0, longestEmoji),
    tap: chat.id,
  };
}

/** The kind of file that holds a long text, and the bytes of text that a message itself holds. */
const longText = "text/x-signal-plain";
const longestInside = 2048;

/** What somebody means to say by it, and nobody here can read. */
const unreadableFields = ["sticker", "contacts", "payment", "pollCreate", "viewOnce"];

function readMessage(envelope: Envelope, number: string): ChatMessage | null {
  const { dataMessage: data } = envelope;
  const { text: words, quotes, isCut } = readWords(data, number);
  const given = data.attachments ?? [];
  const files = given.filter(({ contentType }) => contentType !== longText).map(fileOf);
  // A long text comes as a file, which signal-cli has put into the words if Signal gave it.
  const isShort = given.length > files.length && Buffer.byteLength(data.message ?? "") <= longestInside;
  const isEmpty = words === "" && files.length === 0 && !isShort;
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
    saidAt: envelope.timestamp,
    ...(isUnreadable ? { isUnreadable } : {}),
    ...(isCut || isShort ? { isCut: true } : {}),
    ...(quotes.length === 0 ? {} : { quotes }),
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
  return isOthers && typeof quote.text === "string" && quote.text !== ""
    ? { quoted: quote.text.slice(0, longestWords) }
    : {};
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

/** A recording is one that was made for this message; any other sound is a file. */
function fileOf(
  { contentType, filename, id, size, isVoiceNote }: NonNullable<Data["attachments"]>[number],
  index: number,
): ChatFile {
  const kind = isVoiceNote === true ? "voice" : (contentType ?? "").startsWith("image/") ? "photo" : "file";
  const name = filename ?? `${kind}${index + 1}`;
  return { id: id ?? "", kind, name, bytes: size ?? null, seconds: null };
}
