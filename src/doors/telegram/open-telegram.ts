import { z } from "zod";
import type { Json, JsonObject } from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";
import { chatQuestions } from "../chat/cards/open-chat-questions.ts";
import type { ChatKernel, DoorSettings, QuestionSettings } from "../chat/chat-kernel.ts";
import type {
  ChatButton,
  ChatService,
  DoneResult,
  OutgoingMessage,
  SendResult,
} from "../chat/chat-service.ts";
import { type ChatDoor, openChatDoor } from "../chat/open-chat-door.ts";
import { greatestMessage, messageNumber } from "./read-updates.ts";
import { makeReceive } from "./receive.ts";
import { isSafeMarkdown } from "./rich-text.ts";
import { type ApiResult, openTelegramApi, type TelegramApi } from "./telegram-api.ts";

/** Opens the door to Telegram. */
export function openTelegram(kernel: ChatKernel, settings: DoorSettings & QuestionSettings): ChatDoor {
  const api = openTelegramApi({ ...settings, readKey: () => kernel.readKey("telegram-token") });
  return openChatDoor(kernel, makeTelegram(api), chatQuestions(settings));
}

/** UTF-16 code units of one message, a few below what the service takes. */
const longestText = 4000;
/** Ids after the last known message that are looked at: other chats of the bot count by the same. */
const lookedAt = 25;

/** The Bot API as a chat service. Version 10.3 was read. */
export function makeTelegram(api: TelegramApi): ChatService {
  return {
    name: "telegram",
    title: "Telegram",
    answers: "buttons",
    limits: { characters: longestText, draftEvery: 1000 },
    draft: (chat, draft, cancel) => showDraft(api, { chat, ...draft, cancel }),
    download: (file, most, cancel) => download(api, { file, most, cancel }),
    // Private chats and small groups share one count of each bot; each large group has its own.
    counterOf: (chat) => (chat.startsWith("-100") ? chat : `own-${idOfBot(api)}`),
    newer: (one, other) => (numberOf(one) >= numberOf(other) ? one : other),
    receive: makeReceive(api),
    async send(chat, message, cancel) {
      const rich = richMessage(message);
      if (rich !== null) {
        const sent = await api.call(
          "sendRichMessage",
          { ...targetOf(chat, message), rich_message: rich },
          cancel,
        );
        if (!isRefusedForm(sent)) return sentAs(sent);
      }
      return sentAs(
        await api.call("sendMessage", { ...targetOf(chat, message), ...plainText(message) }, cancel),
      );
    },
    edit: (at, message, cancel) => edit(api, at, { message, cancel }),
    async answerTap(tap, text, cancel) {
      return done(
        await api.call("answerCallbackQuery", { callback_query_id: tap, text: text.slice(0, 200) }, cancel),
      );
    },
    findSent: (chat, { after, message }, cancel) => findSent(api, { chat, after, message, cancel }),
  };
}

type Draft = {
  readonly chat: string;
  readonly id: number;
  readonly text: string;
  readonly cancel: AbortSignal;
};

/** An empty draft is shown as "Thinking…". */
async function showDraft(api: TelegramApi, { chat, id, text, cancel }: Draft): Promise<DoneResult> {
  const target = { chat_id: Number(chat), draft_id: id, can_stop: true };
  if (text.trim() !== "" && isSafeMarkdown(text)) {
    const shown = await api.call(
      "sendRichMessageDraft",
      { ...target, rich_message: { markdown: text } },
      cancel,
    );
    if (!isRefusedForm(shown)) return done(shown);
  }
  return done(await api.call("sendMessageDraft", { ...target, text }, cancel));
}

/** The bot whose messages are counted; empty while the vault does not tell. */
function idOfBot(api: TelegramApi): string {
  const now = api.asBot();
  return now.ok ? now.bot : "";
}

/** A message that one member of a group sees has a number of its own, which is no place in the chat. */
const onlyForOne = "e";
const numberOf = (message: string): number => (message.startsWith(onlyForOne) ? 0 : Number(message));

type Downloading = { readonly file: string; readonly most: number; readonly cancel: AbortSignal };

async function download(
  api: TelegramApi,
  { file, most, cancel }: Downloading,
): ReturnType<TelegramApi["download"]> {
  const asked = await api.call("getFile", { file_id: file }, cancel);
  if (!asked.ok) return asked;
  const read = z.looseObject({ file_path: z.string() }).safeParse(asked.result);
  // The path is the service's own, and must lead nowhere else.
  if (
    !read.success ||
    !/^[\w.-]+(\/[\w.-]+)*$/.test(read.data.file_path) ||
    read.data.file_path.includes("..")
  )
    return { ok: false, code: "refused", reason: "it gave no path of the file" };
  return api.download(read.data.file_path, most, cancel);
}

/** Where a message goes, and its buttons. */
function targetOf(chat: string, { buttons, onlyFor, isProtected }: OutgoingMessage): JsonObject {
  return {
    chat_id: Number(chat),
    ...(onlyFor === undefined ? {} : { ephemeral_message_parameters: { receiver_user_id: Number(onlyFor) } }),
    ...(isProtected === true ? { protect_content: true } : {}),
    ...(buttons === undefined
      ? {}
      : { reply_markup: { inline_keyboard: buttons.map((row) => row.map(buttonOf)) } }),
  };
}

function buttonOf({ text, handle, style }: ChatButton): JsonObject {
  return {
    text,
    ...(style === undefined ? {} : { style: style === "good" ? "success" : "danger" }),
    ...(handle === null ? { disabled: {} } : { callback_data: handle }),
  };
}

/** Null where it is sent as plain text. */
function richMessage({ text, format }: OutgoingMessage): JsonObject | null {
  return format === "markdown" && isSafeMarkdown(text) ? { markdown: text } : null;
}

/** A preview would make the service fetch an address that stands in an answer. */
function plainText({ text, code = [] }: OutgoingMessage): JsonObject {
  const entities = code.map(({ from, length }) => ({
    type: text.slice(from, from + length).includes("\n") ? "pre" : "code",
    offset: from,
    length,
  }));
  return {
    text,
    link_preview_options: { is_disabled: true },
    ...(entities.length === 0 ? {} : { entities }),
  };
}

/** Whether the form of a message was refused, so that plain text may pass; not the chat. */
function isRefusedForm(result: ApiResult): boolean {
  return (
    !result.ok &&
    result.code === "refused" &&
    result.status === 400 &&
    !/chat not found|PEER_ID_INVALID|user not found/i.test(result.description)
  );
}

function sentAs(result: ApiResult): SendResult {
  if (!result.ok) return result;
  const message = idOf(result.result);
  return message === null
    ? { ok: false, code: "unknown-outcome", reason: "it gave no id of the message" }
    : { ok: true, message };
}

function idOf(value: Json): string | null {
  const read = z
    .looseObject({ message_id: messageNumber, ephemeral_message_id: messageNumber.optional() })
    .safeParse(value);
  if (!read.success) return null;
  const { message_id, ephemeral_message_id } = read.data;
  return ephemeral_message_id === undefined ? String(message_id) : `${onlyForOne}${ephemeral_message_id}`;
}

function done(result: ApiResult): DoneResult {
  return result.ok ? { ok: true } : result;
}

type Editing = { readonly message: OutgoingMessage; readonly cancel: AbortSignal };

async function edit(
  api: TelegramApi,
  { chat, message: id }: { readonly chat: string; readonly message: string },
  { message, cancel }: Editing,
): Promise<DoneResult> {
  const isForOne = id.startsWith(onlyForOne);
  const method = isForOne ? "editEphemeralMessageText" : "editMessageText";
  const at = isForOne
    ? { ephemeral_message_id: Number(id.slice(1)), receiver_user_id: Number(message.onlyFor) }
    : { message_id: Number(id) };
  const rich = richMessage(message);
  const forms = [message, ...withoutDisabled(message)].flatMap((one) => [
    ...(rich === null ? [] : [{ ...targetOf(chat, one), ...at, rich_message: rich }]),
    { ...targetOf(chat, one), ...at, ...plainText(one) },
  ]);
  const tried: ApiResult[] = [];
  for (const form of forms) {
    const edited = await api.call(method, form, cancel);
    if (edited.ok || /message is not modified/i.test(edited.description)) return { ok: true };
    pushAll(tried, [edited]);
    if (!isRefusedForm(edited)) break;
  }
  const last = tried.at(-1);
  return last === undefined ? { ok: true } : done(last);
}

/** The same message with what disabled buttons say as text, for a service that knows none. */
function withoutDisabled({ buttons = [], ...message }: OutgoingMessage): readonly OutgoingMessage[] {
  const disabled = buttons.flat().filter(({ handle }) => handle === null);
  if (disabled.length === 0) return [];
  const outcome = disabled.map(({ text }) => text).join("\n");
  return [{ ...message, text: `${message.text}\n\n${outcome}` }];
}

type Looking = {
  readonly chat: string;
  readonly after: string;
  readonly message: OutgoingMessage;
  readonly cancel: AbortSignal;
};

/**
 * Looks for a message of the bot itself behind the last one that is known of a chat. The service takes no
 * key that makes a send idempotent, but it tells by its refusal of a change of buttons that changes nothing
 * whether a message is there and is the bot's.
 */
async function findSent(
  api: TelegramApi,
  { chat, after, message, cancel }: Looking,
): Promise<SendResult | { readonly ok: true; readonly message: null }> {
  // Nobody can look for what only one member sees, and it lapses by itself.
  if (message.onlyFor !== undefined) return { ok: true, message: null };
  const { reply_markup } = targetOf(chat, message);
  const last = Math.min(numberOf(after) + lookedAt, greatestMessage);
  for (let id = numberOf(after) + 1; id <= last; id += 1) {
    const given = {
      chat_id: Number(chat),
      message_id: id,
      ...(reply_markup === undefined ? {} : { reply_markup }),
    };
    const looked = await api.call("editMessageReplyMarkup", given, cancel);
    if (looked.ok || /message is not modified/i.test(looked.description))
      return { ok: true, message: String(id) };
    if (looked.code !== "refused") return looked;
  }
  return { ok: true, message: null };
}
