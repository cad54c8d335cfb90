import { z } from "zod";
import { isJsonObject, type Json } from "../../text/json.ts";
import { hashButtonData } from "../chat/cards/handle.ts";
import type { ChatFile, ChatPlace, ChatSender, ChatUpdate } from "../chat/chat-service.ts";
import { longestWords, markWords, type Showing } from "../chat/mark-words.ts";
import { unknownUpdate } from "../chat/unknown-update.ts";
import { senderOfUpdate } from "./sender-of-update.ts";

/** The kinds of update that are asked for. Others are not sent, or are kept as unknown. */
export const askedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "stopped_message_generation",
  "my_chat_member",
];

/** The bot itself, as `getMe` tells. */
export type Bot = { readonly id: number; readonly username: string };

const id = z.int().transform(String);
/** Numbers of messages and updates that are larger than any that the service counts to. */
export const greatestMessage = 2 ** 31 - 1;
const greatestUpdate = 2 ** 40;
/** The number of a message in its chat. */
export const messageNumber = z.int().min(0).max(greatestMessage);
const messageId = messageNumber.transform(String);
const chatSchema = z.looseObject({
  id,
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const userSchema = z.looseObject({
  id,
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const fileSchema = z.looseObject({
  file_id: z.string(),
  file_name: z.string().optional(),
  file_size: z.number().optional(),
  duration: z.number().optional(),
});
const entitySchema = z.looseObject({ type: z.string(), offset: z.int(), length: z.int() });
const messageSchema = z.looseObject({
  message_id: messageId,
  from: userSchema.optional(),
  sender_chat: z.looseObject({ id }).optional(),
  chat: chatSchema,
  date: z.int().optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  entities: z.array(entitySchema).optional(),
  caption_entities: z.array(entitySchema).optional(),
  forward_origin: z.looseObject({}).optional(),
  via_bot: z.looseObject({}).optional(),
  reply_to_message: z
    .looseObject({
      message_id: messageId,
      from: userSchema.optional(),
      text: z.string().optional(),
      caption: z.string().optional(),
    })
    .optional(),
  quote: z.looseObject({ text: z.string() }).optional(),
  photo: z.array(fileSchema).optional(),
  voice: fileSchema.optional(),
  audio: fileSchema.optional(),
  document: fileSchema.optional(),
  video: fileSchema.optional(),
  video_note: fileSchema.optional(),
});
const tapSchema = z.looseObject({
  id: z.string(),
  from: userSchema,
  message: z.looseObject({ message_id: messageId, chat: chatSchema }),
  data: z.string(),
});
const stopSchema = z.looseObject({ chat: chatSchema, draft_id: id });

type Message = z.infer<typeof messageSchema>;

/**
 * Reads an update of the Bot API. One of another kind or form is unknown, and has no less an id. Null for
 * what has none, or one that no service counts to. `key`: what stands for the bot in the id.
 */
export function readUpdate(
  value: Json,
  { key: ofBot, bot }: { readonly key: string; readonly bot: Bot },
): ChatUpdate | null {
  const number = numberOfUpdate(value);
  if (number === null || !isJsonObject(value)) return null;
  const key = idOfUpdate(ofBot, number);
  return (
    readMove(key, value["message"] ?? null) ??
    readMessage(key, value["message"] ?? null, bot) ??
    readEdit(key, value["edited_message"] ?? null, bot) ??
    readTap(key, value["callback_query"] ?? null) ??
    readStop(key, value["stopped_message_generation"] ?? null) ??
    unknownUpdate(key, value, senderOfUpdate(value))
  );
}

/** The number that a bot counts an update by; null where it has none that counts. */
export function numberOfUpdate(value: Json): number | null {
  const read = z.looseObject({ update_id: z.int().min(0).max(greatestUpdate) }).safeParse(value);
  return read.success ? read.data.update_id : null;
}

/** The id of an update among those of all bots. */
export const idOfUpdate = (bot: string, number: number): string => `${bot}-${number}`;

function readMessage(key: string, value: Json, bot: Bot): ChatUpdate | null {
  const read = messageSchema.safeParse(value);
  if (!read.success) return null;
  const { from, sender_chat, chat, message_id, reply_to_message: replied, ...message } = read.data;
  const whole = message.text ?? message.caption ?? "";
  const text = whole.slice(0, longestWords);
  const { text: words, quotes } = markWords(text, marksOf(read.data));
  const files = filesOf(read.data);
  // Words without a person, such as those of an anonymous administrator, are nobody's.
  if (from === undefined || (sender_chat !== undefined && sender_chat.id !== from.id)) return null;
  const isUnreadable = text === "" && files.length === 0;
  if (isUnreadable && serviceFields.some((field) => field in read.data)) return null;
  return {
    id: key,
    kind: "message",
    chat: placeOf(chat),
    sender: senderOf(from),
    message: message_id,
    text: words,
    ...(message.date === undefined ? {} : { saidAt: message.date * 1000 }),
    ...(isUnreadable ? { isUnreadable } : {}),
    ...(whole.length > text.length ? { isCut: true } : {}),
    ...(quotes.length > 0 ? { quotes } : {}),
    ...quotedOf(read.data, bot),
    isForwarded: message.forward_origin !== undefined || message.via_bot !== undefined,
    isAddressed: chat.type === "private" || isAddressed(read.data, text, bot),
    replyTo: replied === undefined ? null : replied.message_id,
    files,
  };
}

const moveSchema = z.looseObject({
  chat: z.looseObject({ id, type: z.enum(["group", "supergroup"]) }),
  migrate_to_chat_id: id.optional(),
  migrate_from_chat_id: id.optional(),
});

/** A group became a supergroup, as the service tells in both. */
function readMove(key: string, value: Json): ChatUpdate | null {
  const read = moveSchema.safeParse(value);
  if (!read.success) return null;
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = read.data;
  if (to !== undefined) return { id: key, kind: "moved", from: chat.id, to };
  return from === undefined ? null : { id: key, kind: "moved", from, to: chat.id };
}

/** A place that moves, and what the service adds to a message by itself, is no change of anybody's words. */
function readEdit(key: string, value: Json, bot: Bot): ChatUpdate | null {
  const read = readMessage(key, value, bot);
  return read?.kind === "message" && read.text !== "" ? { ...read, isEdit: true } : null;
}

/** What the service itself tells of a chat, in the form of a message. */
const serviceFields = [
  "pinned_message",
  "message_auto_delete_timer_changed",
  "chat_background_set",
  "new_chat_members",
  "left_chat_member",
  "new_chat_title",
  "new_chat_photo",
  "delete_chat_photo",
  "group_chat_created",
  "supergroup_chat_created",
  "write_access_allowed",
];

/**
 * What the bot itself said stands in the session. `quote`: the part of it that somebody chose, or of another
 * chat.
 */
function quotedOf({ reply_to_message: replied, quote }: Message, bot: Bot): { readonly quoted?: string } {
  const quoted = quote?.text ?? replied?.text ?? replied?.caption ?? "";
  const isOwn = replied?.from?.id === String(bot.id);
  return quoted === "" || isOwn ? {} : { quoted: quoted.slice(0, longestWords) };
}

/** How the kinds of marks in a text show words. Another one may mark what is not the writer's. */
const showings: ReadonlyMap<string, Showing> = new Map([
  ...(
    "mention text_mention hashtag cashtag bot_command url text_link email phone_number date_time " +
    "bold italic underline custom_emoji"
  )
    .split(" ")
    .map((type) => [type, "plain"] as const),
  ["strikethrough", "struck"],
]);

function marksOf({ entities, caption_entities }: Message): Parameters<typeof markWords>[1] {
  return [...(entities ?? []), ...(caption_entities ?? [])].map(({ type, offset, length }) => ({
    start: offset,
    length,
    showing: showings.get(type) ?? "quoted",
  }));
}

/** Whether words in a group are said to the bot: a command, a mention, or a reply to what it said. */
function isAddressed(
  { entities, caption_entities, reply_to_message }: Message,
  text: string,
  bot: Bot,
): boolean {
  if (reply_to_message?.from?.id === String(bot.id)) return true;
  const name = `@${bot.username}`.toLowerCase();
  return [...(entities ?? []), ...(caption_entities ?? [])].some(({ type, offset, length }) => {
    const word = text.slice(offset, offset + length).toLowerCase();
    if (type === "mention") return word === name;
    return type === "bot_command" && (word.endsWith(name) || !word.includes("@"));
  });
}

function filesOf({ photo, voice, audio, document, video, video_note }: Message): readonly ChatFile[] {
  const largest = photo?.toSorted((one, other) => (other.file_size ?? 0) - (one.file_size ?? 0))[0];
  return [
    ...fileOf("photo", largest, "photo.jpg"),
    ...fileOf("voice", voice ?? audio, "voice.ogg"),
    ...fileOf("file", document, "file"),
    ...fileOf("file", video ?? video_note, "video.mp4"),
  ];
}

function fileOf(
  kind: ChatFile["kind"],
  file: z.infer<typeof fileSchema> | undefined,
  otherwise: string,
): readonly ChatFile[] {
  if (file === undefined) return [];
  const { file_id, file_name = otherwise, file_size = null, duration = null } = file;
  return [
    { id: file_id, kind, name: file_name, bytes: file_size, seconds: kind === "voice" ? duration : null },
  ];
}

function readTap(key: string, value: Json): ChatUpdate | null {
  const read = tapSchema.safeParse(value);
  if (!read.success) return null;
  const { id: tap, from, message, data } = read.data;
  return {
    id: key,
    kind: "tap",
    chat: placeOf(message.chat),
    sender: senderOf(from),
    message: message.message_id,
    handle: hashButtonData(data),
    tap,
  };
}

function readStop(key: string, value: Json): ChatUpdate | null {
  const read = stopSchema.safeParse(value);
  return read.success
    ? { id: key, kind: "stop", chat: placeOf(read.data.chat), draft: read.data.draft_id }
    : null;
}

function placeOf({ id: chat, type, title, ...names }: z.infer<typeof chatSchema>): ChatPlace {
  const kind = type === "supergroup" ? "group" : type;
  return { id: chat, kind, title: title ?? nameOf(names) };
}

function senderOf({ id: sender, is_bot, ...names }: z.infer<typeof userSchema>): ChatSender {
  return { id: sender, name: nameOf(names), isBot: is_bot };
}

function nameOf(names: {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly username?: string | undefined;
}): string {
  const name = [names.first_name, names.last_name].filter((part) => part !== undefined).join(" ");
  return names.username === undefined ? name : `${name} (@${names.username})`.trim();
}

/** The result of `getMe`. Null where it is none. */
export function readBot(value: Json): Bot | null {
  const read = z.looseObject({ id: z.int(), username: z.string() }).safeParse(value);
  return read.success ? { id: read.data.id, username: read.data.username } : null;
}
