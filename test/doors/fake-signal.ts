import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/text/json.ts";
import { parseJson } from "../../src/text/parse-json.ts";

/** The number of the agent, and people. */
export const agentNumber = "+4915100000001";
export const olga = {
  uuid: "0a1b2c3d-0000-4000-8000-000000000001",
  number: "+4915100000002",
  name: "Olga",
};
export const mallory = { uuid: "0a1b2c3d-0000-4000-8000-000000000002", number: null, name: "Mallory" };
export const friends = { groupId: "Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyMDA=", groupName: "Friends" };

type Person = { readonly uuid: string; readonly number: string | null; readonly name: string };

/**
 * What goes wrong with one call. A message that was received is lost where its answer is cut, as with the
 * real daemon.
 */
export type SignalTrouble =
  | "cut-before"
  | "cut-after"
  | "error-500"
  | "no-json"
  | { readonly code: number; readonly message: string; readonly data?: Json };

/** What the agent said. `editOf`: the time of the message that it replaces. */
export type SentMessage = {
  readonly to: string;
  readonly text: string;
  readonly styles: readonly string[];
  readonly timestamp: number;
  readonly editOf: number | null;
};

/**
 * The HTTP daemon of signal-cli on loopback, with --receive-mode=manual, as far as the door uses it. It
 * misbehaves by order.
 */
export class FakeSignal implements AsyncDisposable {
  version = "0.14.10";
  /** Null for a daemon of one account, which has no list of them. */
  accounts: readonly string[] | null = null;
  readonly sent: SentMessage[] = [];
  readonly calls: { readonly method: string; readonly params: JsonObject }[] = [];
  readonly troubles: { readonly method: string; readonly how: SignalTrouble }[] = [];
  /** Milliseconds that a call for messages waits at most, whatever it asks for. */
  longestWait = 200;
  readonly files = new Map<string, Uint8Array>();
  /** Without a network a call for messages does not end: signal-cli connects again and again. */
  #isOnline = true;
  #server = createServer();
  #port = 0;
  #queue: Json[] = [];
  #time = Date.now();
  #isReceiving = false;
  #lives = 0;
  #wake: () => void = () => undefined;

  static async start(): Promise<FakeSignal> {
    const fake = new FakeSignal();
    await fake.#listen();
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What the vault keeps for it. */
  get key(): string {
    return `${this.url} ${agentNumber}`;
  }

  /** The daemon ends; what Signal's servers keep for it stays. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.#isReceiving = false;
    this.#lives += 1;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  goOffline(): void {
    this.#isOnline = false;
  }

  goOnline(): void {
    this.#isOnline = true;
    this.#wake();
  }

  /** Adds what `receive` gives of one message. */
  add(value: Json): void {
    this.#queue.push(value);
    this.#wake();
  }

  /** An envelope of somebody with some contents. */
  envelope(from: Person, contents: JsonObject, timestamp = this.#next()): JsonObject {
    const { uuid: sourceUuid, number: sourceNumber, name: sourceName } = from;
    const source = {
      source: sourceNumber ?? sourceUuid,
      sourceNumber,
      sourceUuid,
      sourceName,
      sourceDevice: 1,
    };
    return { account: agentNumber, envelope: { ...source, timestamp, ...contents } };
  }

  /** Somebody says something. Gives the envelope, which can be added again. */
  say(message: string, { from = olga, ...more }: JsonObject & { readonly from?: Person } = {}): JsonObject {
    const timestamp = this.#next();
    const dataMessage = { timestamp, message, expiresInSeconds: 0, viewOnce: false, ...more };
    const value = this.envelope(from, { dataMessage }, timestamp);
    this.add(value);
    return value;
  }

  /** Somebody reacts to a message. */
  react(
    emoji: string,
    target: number,
    {
      from = olga,
      author = agentNumber,
      isRemove = false,
      group = null,
    }: {
      readonly from?: Person;
      readonly author?: string;
      readonly isRemove?: boolean;
      readonly group?: JsonObject | null;
    } = {},
  ): void {
    const timestamp = this.#next();
    const reaction = {
      emoji,
      targetAuthor: author,
      targetAuthorNumber: author,
      targetAuthorUuid: null,
      targetSentTimestamp: target,
      isRemove,
    };
    const groupInfo = group === null ? {} : { groupInfo: group };
    this.add(
      this.envelope(from, { dataMessage: { timestamp, message: null, reaction, ...groupInfo } }, timestamp),
    );
  }

  /** What the agent said to somebody, without edits. */
  said(to = olga.uuid): readonly string[] {
    return this.sent.filter((one) => one.to === to && one.editOf === null).map(({ text }) => text);
  }

  /** Messages that nobody was given yet. */
  waiting(): number {
    return this.#queue.length;
  }

  #next(): number {
    this.#time += 1;
    return this.#time;
  }

  async #listen(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => request.destroy());
    });
    await new Promise<void>((resolve) => {
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#server.unref();
    const address: string | AddressInfo | null = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(z.instanceof(Buffer).parse(piece));
    if (request.url !== "/api/v1/rpc") return void response.writeHead(404).end();
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (request.headers.host !== `127.0.0.1:${this.#port}`) return void response.writeHead(421).end();
    if (request.headers["content-type"] !== "application/json") return void response.writeHead(415).end();
    const given = parseJson(Buffer.concat(pieces).toString());
    const { id = null, method = "", params = {} } = isJsonObject(given) ? given : {};
    const call = { method: String(method), params: isJsonObject(params) ? params : {} };
    const outcome = await this.#outcomeOf(call);
    if (outcome === "cut") return void request.socket.destroy();
    if (outcome === "error-500") return void response.writeHead(500).end();
    if (outcome === "no-json") return void response.writeHead(200).end("<html>not this</html>");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", ...outcome, id }));
  }

  /** Listens at a Unix socket too: lines of JSON, with one that nobody asked for before each answer. */
  async listenAt(path: string): Promise<AsyncDisposable> {
    const sockets = new Set<Socket>();
    const server = createSocketServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      createInterface({ input: socket }).on("line", (line) => {
        const given = parseJson(line);
        const { id = null, method = "", params = {} } = isJsonObject(given) ? given : {};
        const call = { method: String(method), params: isJsonObject(params) ? params : {} };
        void this.#outcomeOf(call).then((outcome) => {
          if (typeof outcome === "string") return void socket.destroy();
          socket.write(`${JSON.stringify({ jsonrpc: "2.0", method: "callEvent", params: {} })}\n`);
          socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...outcome, id })}\n`);
        });
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(path, resolve);
    });
    server.unref();
    return {
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      },
    };
  }

  async #outcomeOf(call: { readonly method: string; readonly params: JsonObject }) {
    this.calls.push(call);
    const at = this.troubles.findIndex((one) => one.method === call.method);
    const how = at === -1 ? null : (this.troubles.splice(at, 1)[0]?.how ?? null);
    if (how === "cut-before") return "cut";
    if (how === "error-500" || how === "no-json") return how;
    const answer =
      typeof how === "object" && how !== null ? { error: { data: null, ...how } } : await this.#answer(call);
    return how === "cut-after" ? "cut" : answer;
  }

  async #answer({ method, params }: { readonly method: string; readonly params: JsonObject }) {
    if (this.accounts !== null && !["version", "listAccounts"].includes(method) && !("account" in params))
      return problem(-32_602, "Method requires valid account parameter");
    // A daemon of one account refuses a parameter that it does not know.
    if (this.accounts === null && "account" in params)
      return problem(-32_600, 'Unrecognized field "account"');
    switch (method) {
      case "version":
        return { result: { version: this.version } };
      case "listAccounts":
        return this.accounts === null
          ? problem(-32_601, "Method not implemented")
          : { result: this.accounts.map((number) => ({ number })) };
      case "receive":
        return this.#receive(params);
      case "send":
        return this.#send(params);
      case "getAttachment": {
        const bytes = this.files.get(String(params["id"]));
        return bytes === undefined
          ? problem(-1, "Could not find attachment")
          : { result: { data: Buffer.from(bytes).toString("base64") } };
      }
      case "sendTyping":
        return { result: { timestamp: this.#next(), results: [] } };
      default:
        return problem(-32_601, "Method not implemented");
    }
  }

  async #receive({ timeout = 3, maxMessages = -1 }: JsonObject) {
    if (this.#isReceiving)
      return problem(-1, "Receive command cannot be used if messages are already being received.");
    this.#isReceiving = true;
    const life = this.#lives;
    const until = Date.now() + Math.min(Number(timeout) * 1000, this.longestWait);
    const isWaiting = (): boolean =>
      !this.#isOnline || ((this.#queue.length === 0 || life !== this.#lives) && Date.now() < until);
    while (isWaiting() && life === this.#lives)
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, this.#isOnline ? until - Date.now() : 60_000);
        this.#wake = () => {
          clearTimeout(late);
          resolve();
        };
      });
    if (life !== this.#lives) return { result: [] };
    this.#isReceiving = false;
    return { result: this.#queue.splice(0, Number(maxMessages) < 0 ? undefined : Number(maxMessages)) };
  }

  #send({ recipient, groupId, message, textStyle, editTimestamp, ...more }: JsonObject) {
    const unknown = Object.keys(more).filter((name) => name !== "account");
    if (unknown.length > 0) throw new Error(`send was given ${unknown.join()}`);
    const to = isJsonArray(recipient ?? null) ? (recipient as readonly Json[]) : [groupId ?? ""];
    const text = String(message ?? "");
    if (text === "") return problem(-1, "Sending empty message is not allowed");
    const styles = isJsonArray(textStyle ?? null) ? (textStyle as readonly Json[]).map(String) : [];
    for (const style of styles) {
      const [, start, length] = /^(\d+):(\d+):(?:BOLD|ITALIC|STRIKETHROUGH|MONOSPACE)$/.exec(style) ?? [];
      if (length === undefined || Number(start) + Number(length) > text.length)
        return problem(-1, `Invalid style: ${style}`);
    }
    const timestamp = this.#next();
    const editOf = typeof editTimestamp === "number" ? editTimestamp : null;
    this.sent.push({ to: String(to[0]), text, styles, timestamp, editOf });
    return { result: { timestamp, results: [{ type: "SUCCESS" }] } };
  }
}

function problem(code: number, message: string) {
  return { error: { code, message, data: null } };
}
