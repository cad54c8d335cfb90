import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Json, JsonObject } from "../../src/text/json.ts";
import { isJsonObject } from "../../src/text/json.ts";
import { parseJson } from "../../src/text/parse-json.ts";

/** The token of the fake: it must be found nowhere but in the vault. */
export const botToken = "123456789:AAfake-token-of-a-test-c0ffee4711";

/** The token of another bot. */
export const otherToken = "987654321:BBanother-token-of-a-test-c0ffee4712";

/** What goes wrong with one call, before or after it is done. */
export type Misbehaviour =
  /** The connection is cut before the call is looked at, or after it was done. */
  | "cut-before"
  | "cut-after"
  /** A gateway in front of the service fails before, or after the call was done. */
  | "bad-gateway-before"
  | "bad-gateway-after"
  | { readonly retryAfter: number }
  /** Another program receives. */
  | "conflict"
  /** Nothing ever comes back. */
  | "hang"
  | { readonly refuse: string; readonly status?: number }
  /** This comes at once as the result, whatever was asked. */
  | { readonly gives: Json };

/** A message as the fake keeps it. */
export type FakeMessage = {
  readonly id: number;
  readonly chat: number;
  readonly isBots: boolean;
  readonly text: string;
  readonly isRich: boolean;
  readonly buttons: Json;
  readonly onlyFor: number | null;
};

/** A call as it came. */
export type FakeCall = { readonly method: string; readonly given: JsonObject };

export const owner = { id: 7001, is_bot: false, first_name: "Olga", username: "olga" };
export const stranger = { id: 7002, is_bot: false, first_name: "Mallory" };
export const privateChat = { id: 7001, type: "private", first_name: "Olga" };

/** Bot API 10.3 on loopback, as far as the door uses it. It misbehaves by order. */
export class FakeTelegram implements AsyncDisposable {
  readonly url: string;
  readonly calls: FakeCall[] = [];
  readonly messages: FakeMessage[] = [];
  readonly answeredTaps: JsonObject[] = [];
  readonly drafts: JsonObject[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** What is to go wrong with the next calls of a method. */
  readonly misbehaviours: { readonly method: string; readonly how: Misbehaviour }[] = [];
  /** Refuses rich messages with these words in them. */
  refusesRich: RegExp | null = null;
  /** Milliseconds that a call for updates waits at most, whatever it asks for. */
  longestWait = 1000;
  /** Called before each call is answered; what it gives goes wrong. */
  chaos: ((method: string) => Misbehaviour | null) | null = null;
  /** The groups that became another one. */
  readonly #moved = new Map<number, number>();
  readonly #server;
  readonly #updates: { readonly id: number; readonly update: JsonObject }[] = [];
  #token = botToken;
  #lastUpdate = 1000;
  #lastMessage = 100;
  #waiting: (() => void)[] = [];
  #receiving = 0;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    const address: string | AddressInfo | null = server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  static async start(): Promise<FakeTelegram> {
    const server = createServer((request, response) => {
      fake.#handle(request, response).catch(() => request.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    server.unref();
    const fake = new FakeTelegram(server);
    return fake;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever waits is asked no more.
    this.#receiving += 1;
    this.#wake();
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** Adds an update of a kind, as the service would. */
  add(kind: string, body: JsonObject, id = this.#lastUpdate + 1): number {
    this.#lastUpdate = Math.max(this.#lastUpdate, id);
    this.#updates.push({ id, update: { update_id: id, [kind]: body } });
    this.#wake();
    return id;
  }

  /** Somebody says something. Gives the id of the message. */
  say(text: string, more: JsonObject = {}): number {
    this.#lastMessage += 1;
    const id = this.#lastMessage;
    const entities = text.startsWith("/")
      ? [{ type: "bot_command", offset: 0, length: text.split(/\s/)[0]?.length ?? 0 }]
      : [];
    this.add("message", {
      message_id: id,
      from: owner,
      chat: privateChat,
      date: Math.floor(Date.now() / 1000),
      ...(text === "" ? {} : { text }),
      entities,
      ...more,
    });
    return id;
  }

  /** From now on another bot is spoken to, which counts its own updates and messages. */
  becomeOtherBot(): void {
    this.#token = otherToken;
    this.#updates.length = 0;
    this.#lastUpdate = 5;
    this.#lastMessage = 5;
    // Whoever still waits, waits for the other bot.
    this.#receiving += 1;
    this.#wake();
  }

  /** The same, of which no update is left. */
  moveSilently(group: number, to: number): void {
    this.#moved.set(group, to);
  }

  /** A group becomes a supergroup, which has another id. */
  migrate(group: number, to: number): void {
    this.moveSilently(group, to);
    const sender_chat = { id: group };
    this.say("", { chat: { id: group, type: "group", title: "House" }, migrate_to_chat_id: to, sender_chat });
    this.say("", { chat: { id: to, type: "supergroup", title: "House" }, migrate_from_chat_id: group });
  }

  /** Gives again what was given already, and puts what waits out of order. */
  repeat(count: number): void {
    this.#updates.unshift(...this.#updates.slice(-count).reverse());
    this.#wake();
  }

  /** Taps the button with a text. */
  tap(message: FakeMessage, handle: string, from: JsonObject = owner): number {
    const chat = message.chat < 0 ? { id: message.chat, type: "supergroup", title: "A group" } : privateChat;
    return this.add("callback_query", {
      id: `tap-${this.#lastUpdate + 1}`,
      from,
      chat_instance: "1",
      message: { message_id: message.id, chat, date: 1 },
      data: handle,
    });
  }

  /** What the bot said in a chat. */
  said(chat = privateChat.id): readonly string[] {
    return this.messages.filter((message) => message.isBots && message.chat === chat).map(({ text }) => text);
  }

  /** The updates that were not acknowledged. */
  unacknowledged(): number {
    return this.#updates.length;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(z.instanceof(Buffer).parse(piece));
    const [, token = "", method = ""] =
      /^\/(?:file\/)?bot([^/]+)\/(.+)$/.exec(decodeURI(request.url ?? "")) ?? [];
    if (token !== this.#token) return reply(response, 401, { ok: false, description: "Unauthorized" });
    if (request.url?.startsWith("/file/") === true) {
      const bytes = this.files.get(method);
      response.writeHead(bytes === undefined ? 404 : 200, { "content-length": bytes?.length ?? 0 });
      response.end(bytes);
      return;
    }
    const parsed = parseJson(Buffer.concat(pieces).toString());
    const given = isJsonObject(parsed) ? parsed : {};
    this.calls.push({ method, given });
    const how = this.#nextMisbehaviour(method) ?? this.chaos?.(method) ?? null;
    if (how === "hang") return;
    if (how === "cut-before") return void request.socket.destroy();
    if (how === "bad-gateway-before") return gateway(response);
    if (how === "conflict")
      return reply(response, 409, {
        ok: false,
        description: "Conflict: terminated by other getUpdates request",
      });
    if (typeof how === "object" && how !== null && "retryAfter" in how) {
      const parameters = { retry_after: how.retryAfter };
      return reply(response, 429, { ok: false, description: "Too Many Requests", parameters });
    }
    if (typeof how === "object" && how !== null && "gives" in how)
      return reply(response, 200, { ok: true, result: how.gives });
    if (typeof how === "object" && how !== null)
      return reply(response, how.status ?? 400, { ok: false, description: how.refuse });
    const movedTo = this.#moved.get(Number(given["chat_id"]));
    if (movedTo !== undefined)
      return reply(response, 400, {
        ok: false,
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        parameters: { migrate_to_chat_id: movedTo },
      });
    const answer = await this.#answer(method, given);
    if (how === "cut-after") return void request.socket.destroy();
    if (how === "bad-gateway-after") return gateway(response);
    return "refuse" in answer
      ? reply(response, 400, { ok: false, error_code: 400, description: answer.refuse })
      : reply(response, 200, { ok: true, result: answer.result });
  }

  #nextMisbehaviour(method: string): Misbehaviour | null {
    const index = this.misbehaviours.findIndex((one) => one.method === method);
    return index === -1 ? null : (this.misbehaviours.splice(index, 1)[0]?.how ?? null);
  }

  async #answer(
    method: string,
    given: JsonObject,
  ): Promise<{ readonly result: Json } | { readonly refuse: string }> {
    switch (method) {
      case "getMe":
        return {
          result: {
            id: Number(this.#token.split(":")[0]),
            is_bot: true,
            first_name: "Agent",
            username: this.#token === botToken ? "agent_bot" : "other_bot",
          },
        };
      case "getUpdates":
        return { result: await this.#getUpdates(given) };
      case "sendMessage":
      case "sendRichMessage":
        return this.#send(method, given);
      case "editMessageText":
      case "editMessageReplyMarkup":
        return this.#edit(method, given);
      case "answerCallbackQuery":
        this.answeredTaps.push(given);
        return { result: true };
      case "sendRichMessageDraft":
      case "sendMessageDraft":
        this.drafts.push(given);
        return { result: true };
      case "sendChatAction":
        return { result: true };
      case "getFile":
        return this.files.has(String(given["file_id"]))
          ? { result: { file_id: given["file_id"] ?? "", file_path: given["file_id"] ?? "" } }
          : { refuse: "Bad Request: invalid file_id" };
      default:
        return { refuse: `Not Found: ${method}` };
    }
  }

  async #getUpdates({ offset = null, timeout = 0, limit = 100 }: JsonObject): Promise<Json> {
    this.#receiving += 1;
    const own = this.#receiving;
    const token = this.#token;
    if (offset !== null)
      this.#updates.splice(
        0,
        this.#updates.length,
        ...this.#updates.filter(({ id }) => id >= Number(offset)),
      );
    const until = Date.now() + Math.min(Number(timeout) * 1000, this.longestWait);
    while (this.#updates.length === 0 && Date.now() < until && own === this.#receiving) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, until - Date.now());
        this.#waiting.push(() => {
          clearTimeout(late);
          resolve();
        });
      });
    }
    if (token !== this.#token) return [];
    return this.#updates.slice(0, Number(limit)).map(({ update }) => update);
  }

  #send(method: string, given: JsonObject): { readonly result: Json } | { readonly refuse: string } {
    const rich = given["rich_message"];
    const text = isJsonObject(rich) ? String(rich["markdown"] ?? "") : String(given["text"] ?? "");
    if (method === "sendRichMessage" && this.refusesRich?.test(text) === true)
      return { refuse: "Bad Request: can't parse rich message" };
    if (text === "") return { refuse: "Bad Request: message text is empty" };
    if (text.length > 4096 && method === "sendMessage") return { refuse: "Bad Request: message is too long" };
    this.#lastMessage += 1;
    const ephemeral = given["ephemeral_message_parameters"];
    const message: FakeMessage = {
      id: this.#lastMessage,
      chat: Number(given["chat_id"]),
      isBots: true,
      text,
      isRich: method === "sendRichMessage",
      buttons: isJsonObject(given["reply_markup"])
        ? (given["reply_markup"]["inline_keyboard"] ?? null)
        : null,
      onlyFor: isJsonObject(ephemeral) ? Number(ephemeral["receiver_user_id"]) : null,
    };
    this.messages.push(message);
    return { result: { message_id: message.id, chat: { id: message.chat }, date: 1, text } };
  }

  #edit(method: string, given: JsonObject): { readonly result: Json } | { readonly refuse: string } {
    const id = Number(given["message_id"]);
    const index = this.messages.findIndex(
      (message) => message.id === id && message.chat === Number(given["chat_id"]),
    );
    const before = this.messages[index];
    if (before === undefined) return { refuse: "Bad Request: message to edit not found" };
    const rich = given["rich_message"];
    const text = isJsonObject(rich) ? String(rich["markdown"]) : String(given["text"] ?? before.text);
    const markup = given["reply_markup"];
    const buttons = isJsonObject(markup) ? (markup["inline_keyboard"] ?? null) : null;
    const after = { ...before, text: method === "editMessageText" ? text : before.text, buttons };
    if (JSON.stringify(after) === JSON.stringify(before))
      return {
        refuse: "Bad Request: message is not modified: specified new message content is exactly the same",
      };
    this.messages[index] = after;
    return { result: { message_id: id } };
  }
}

function reply(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function gateway(response: ServerResponse): void {
  response.writeHead(502, { "content-type": "text/html" });
  response.end("<html><h1>502 Bad Gateway</h1></html>");
}
