import type { TestContext } from "node:test";
import xterm from "@xterm/headless";
import type { JsonObject } from "../text/json.ts";
import type { Client, ClientEvent } from "../wire/client/client.ts";
import { clientCodec } from "../wire/codec/codec.ts";
import { App } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import type { After } from "./screen/after.ts";
import type { Terminal } from "./screen/toolkit.ts";
import { WireSession } from "./session/wire-session.ts";

/** A terminal without a screen, as xterm.js keeps its state, with every byte that was written to it. */
export class HeadlessTerminal implements Terminal {
  readonly xterm: xterm.Terminal;
  readonly written: string[] = [];
  readonly kittyProtocolActive = false;
  readonly time = new ManualTime(Date.UTC(2026, 10, 22, 9, 0));
  /** The background that it tells when it is asked. */
  background: "dark" | "light" = "dark";
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};

  constructor(columns: number, rows: number) {
    this.xterm = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  }

  get columns(): number {
    return this.xterm.cols;
  }

  get rows(): number {
    return this.xterm.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {
    this.#onInput = () => {};
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.written.push(data);
    this.xterm.write(data);
    const shade = this.background === "dark" ? "0000/0000/0000" : "ffff/ffff/ffff";
    if (data.includes("\u001b]11;?")) queueMicrotask(() => this.#onInput(`\u001b]11;rgb:${shade}\u0007`));
  }

  moveBy(): void {}
  hideCursor(): void {
    this.write("\u001b[?25l");
  }
  showCursor(): void {
    this.write("\u001b[?25h");
  }
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}

  /** One key, or what a terminal sends at once. */
  type(...keys: readonly string[]): void {
    for (const key of keys) this.#onInput(key);
  }

  resize(columns: number, rows: number): void {
    this.xterm.resize(columns, rows);
    this.#onResize();
  }

  /** Resolves when all that was written has been taken in. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.xterm.write("", resolve));
  }

  /** All rows, those that scrolled away first, without blanks at their ends. */
  everything(): readonly string[] {
    const { active } = this.xterm.buffer;
    return Array.from({ length: active.length }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  /** The rows of the screen, without blanks at their ends. */
  screen(): readonly string[] {
    const { active } = this.xterm.buffer;
    return Array.from({ length: this.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }
}

/** A client without a daemon: it keeps what was sent, and tells what a test tells. */
export class ScriptedClient implements Client {
  readonly sent: JsonObject[] = [];
  readonly #listeners = new Set<(event: ClientEvent) => void>();

  /** Why nothing can be sent; empty where it can. */
  refusal = "";

  send: Client["send"] = (message) => {
    if (this.refusal !== "") return { ok: false, code: "too-long", reason: this.refusal };
    this.#encode(message);
    return { ok: true, id: String(message["id"]) };
  };
  sendBestEffort = (message: JsonObject) => {
    this.#encode(message);
    return true;
  };

  /** What the wire has no words for throws, as it does there. */
  #encode(message: JsonObject): void {
    clientCodec.encode(message);
    this.sent.push(message);
  }

  on = (listener: (event: ClientEvent) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  state = () => "ready" as const;
  close = async () => [];

  tell(event: ClientEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  message(message: JsonObject): void {
    this.tell({ kind: "message", message });
  }
}

/** A time that a test moves: what waits for it then happens at once, in its order. */
class ManualTime {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly act: () => void }>();

  constructor(now: number) {
    this.#now = now;
  }

  get now(): number {
    return this.#now;
  }

  set now(now: number) {
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#waiting.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
    }
    this.#now = now;
  }

  after: After = (milliseconds, act) => {
    const waiting = { at: this.#now + milliseconds, act };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  };
}

/** A conversation on a terminal without a screen, with a session that is open. */
export function openApp(
  t: Pick<TestContext, "after">,
  {
    columns = 80,
    rows = 24,
    open = true,
    ...given
  }: Partial<AppParts> & { readonly columns?: number; readonly rows?: number; readonly open?: boolean } = {},
) {
  const terminal = new HeadlessTerminal(columns, rows);
  terminal.background = given.background ?? "dark";
  const client = new ScriptedClient();
  const ids = { last: 0 };
  const { time } = terminal;
  const app = new App({
    terminal,
    history: { entries: () => [], add: () => {} },
    listNames: async () => [],
    home: "/home/ada",
    folder: "/home/ada/garden",
    version: "0.1.0",
    depth: "16",
    background: "dark",
    bells: "bell",
    clock: () => time.now,
    after: time.after,
    suspend: () => {},
    editText: async (text) => ({ ok: true, text }),
    fileAt: () => null,
    screen: { place: "whole", mouse: "scroll" },
    copyText: async () => ({ kind: "terminal" }),
    isHidden: null,
    openSession: (listener) =>
      new WireSession({
        client,
        wanted: { name: null, latest: false },
        newId: () => {
          ids.last += 1;
          return `id${ids.last}`;
        },
        listener,
      }),
    ...given,
  });
  app.start();
  t.after(() => app.leave());
  if (open) openSession(client);
  return { app, terminal, client, time, turn: (name: string) => scriptTurn(client, name) };
}

/** The daemon greets, and opens the session that was asked for. */
export function openSession(client: ScriptedClient, more: JsonObject = {}, session = "s1"): void {
  client.tell({ kind: "ready", daemon: { version: "0.1.0", capabilities: [] } });
  const id = String(client.sent.findLast(({ payload }) => isAction(payload, "session"))?.["id"] ?? "");
  client.message({
    type: "status",
    meta: { "session-id": session },
    payload: { action: "session", id, workspace: "/home/ada/garden", trusted: true, ...more },
  });
}

/** The daemon answers the last request of this name. */
export function answerRequest(client: ScriptedClient, action: string, answer: JsonObject): void {
  const id = String(client.sent.findLast(({ payload }) => isAction(payload, action))?.["id"] ?? "");
  client.message({
    type: "response",
    id,
    payload: { action: "message", outcome: "said", text: "", ...answer },
  });
}

function isAction(payload: JsonObject[string] | undefined, action: string): boolean {
  return (
    typeof payload === "object" && payload !== null && "action" in payload && payload["action"] === action
  );
}

/** The daemon's messages about a turn. */
export function scriptTurn(client: ScriptedClient, turn: string) {
  const meta = { "session-id": "s1", "turn-id": turn };
  const send = (message: JsonObject): void => client.message({ meta, ...message });
  return {
    send,
    thinking: (text = "", depth = 0) =>
      send({ type: "status", payload: { action: "thinking", depth, text } }),
    thought: (text: string) => send({ type: "status", payload: { action: "thought", text } }),
    chunk: (text: string) => send({ type: "stream-chunk", payload: { text } }),
    proposed: (call: string, proposal: JsonObject) =>
      send({ type: "status", payload: { action: "proposed", "call-id": call, proposal } }),
    judged: (call: string, more: JsonObject = {}, trace: JsonObject["trace"] = []) =>
      send({
        type: "status",
        payload: { action: "judged", "call-id": call, verdict: "pass", reason: "", effects: [], ...more },
        "gate-trace": trace ?? [],
      }),
    printed: (call: string, text: string) =>
      send({ type: "status", payload: { action: "output", "call-id": call, text } }),
    output: (call: string, tool: string, result: JsonObject["result"]) =>
      send({
        type: "event",
        payload: { sensor: "tool-output", "call-id": call, tool, result: result ?? null },
      }),
    failed: (call: string, tool: string, message: string) =>
      send({
        type: "event",
        payload: { sensor: "tool-error", "call-id": call, tool, message, code: "failed" },
      }),
    asks: (payload: JsonObject) =>
      send({
        type: "event",
        level: "approval-required",
        payload: { sensor: "approval-required", ...payload },
      }),
    answered: (text: string, more: JsonObject = {}) =>
      send({ type: "response", payload: { action: "message", text, outcome: "answered", ...more } }),
  };
}

/** Resolves once Markdown is loaded and the colours are known. */
export async function looked(app: App): Promise<void> {
  while (app.look.markdown === null) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Resolves after the next frame was painted. */
export async function painted(terminal: HeadlessTerminal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 25));
  await terminal.settled();
}
