import type { SessionDescription } from "../../shown/session-description.ts";
import { isEnd } from "../../signal/loop-event.ts";
import type { JsonObject } from "../../text/json.ts";
import { isJsonObject } from "../../text/json.ts";
import { nearestSize, type TerminalSize } from "../../text/terminal-size.ts";
import type { Client, ClientEvent } from "../../wire/client/client.ts";
import { eventOf } from "../../wire/codec/loop-events.ts";
import { descriptionOf } from "../../wire/codec/session-description.ts";
import { sizeRequest, terminalSizeCapability } from "../../wire/codec/terminal-sizes.ts";
import { cleanMessage, cleanText } from "../screen/clean.ts";

/** What happens in a session. Every text in it is cleaned. */
export type SessionEvent =
  | { readonly kind: "ready"; readonly version: string }
  /** There is no connection; the next attempt is in so many milliseconds. `code` as the client says it. */
  | {
      readonly kind: "lost";
      readonly code: string;
      readonly error: string;
      readonly reason: string;
      readonly milliseconds: number;
    }
  /** The session is open. `again`: after a connection that was lost. */
  | {
      readonly kind: "opened";
      readonly session: string;
      readonly description: SessionDescription;
      readonly again: boolean;
    }
  | { readonly kind: "message"; readonly message: JsonObject }
  /** The daemon has this message; `turn` is what it started. */
  | { readonly kind: "accepted"; readonly id: string; readonly turn: string | null }
  | { readonly kind: "refused"; readonly id: string; readonly reason: string };

/** Codes of a lost connection that mean that no daemon is there, or that it leaves: the client tries again, and there is nothing to say. */
const absent: ReadonlySet<string> = new Set(["unreachable", "no-secret", "lost", "silent"]);

export const isAbsent = (code: string): boolean => absent.has(code);

/** Which session a person wants. */
export type WantedSession = { readonly name: string | null; readonly latest: boolean };

/** The terminal of the person: its size, null where it has none, and a listener to each change of it. */
export type SessionTerminal = {
  readonly size: () => TerminalSize | null;
  readonly onResize: (listener: () => void) => unknown;
};

/** How words were said: `pasted`, with what of them was, and for the turn that runs (`steers`). */
export type HowSaid = {
  readonly pasted?: boolean;
  /** What of them was pasted, where that is known. */
  readonly pastes?: readonly string[];
  readonly steers?: boolean;
  /** The ids of files that were attached for them. */
  readonly attachments?: readonly string[];
};

/** One session with the daemon, over as many connections as needed. What is said before it is open waits, and nothing is said twice. */
export class WireSession {
  readonly #client: Client;
  readonly #wanted: WantedSession;
  readonly #newId: () => string;
  readonly #listener: (event: SessionEvent) => void;
  readonly #terminal: SessionTerminal | null;
  /** What waits until the session is open. */
  #waiting: JsonObject[] = [];
  #opening = "";
  #session: string | null = null;
  /** Whether the daemon takes the size of a terminal, and the ids under which it was told. */
  #takesSize = false;
  readonly #told = new Set<string>();
  /** Turns whose end has not come: after a reconnection each is asked about. */
  readonly #turns = new Set<string>();
  /** The ids of words that were said to steer a turn. */
  readonly #steering = new Set<string>();

  constructor(parts: {
    readonly client: Client;
    readonly wanted: WantedSession;
    readonly newId: () => string;
    readonly listener: (event: SessionEvent) => void;
    readonly terminal?: SessionTerminal;
  }) {
    this.#client = parts.client;
    this.#wanted = parts.wanted;
    this.#newId = parts.newId;
    this.#listener = parts.listener;
    this.#terminal = parts.terminal ?? null;
    this.#client.on((event) => this.#onEvent(event));
    this.#terminal?.onResize(() => this.#tellSize());
  }

  /** Null until the session is open. */
  get session(): string | null {
    return this.#session;
  }

  /** Says the owner's words; gives the id under which they are accepted. */
  say(text: string, { pasted = false, pastes = [], steers = false, attachments = [] }: HowSaid): string {
    const payload = {
      sensor: "user-input",
      text,
      ...(pasted ? { pasted } : {}),
      ...(pastes.length > 0 ? { pastes } : {}),
      ...(steers ? { steer: true } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
    };
    const id = this.#send({ type: "event", payload });
    if (steers) this.#steering.add(id);
    return id;
  }

  /** Sends a request of the owner; gives its id. */
  request(payload: JsonObject): string {
    return this.#send({ type: "request", payload });
  }

  /** Opens another session in place of this one, by its id or name; what runs in this one goes on. */
  switchTo(session: string): void {
    this.#turns.clear();
    this.#open(session);
  }

  /** A turn that goes on: after a reconnection it is asked about. */
  watch(turn: string): void {
    this.#turns.add(turn);
  }

  /** Words that steer a turn end before it does: asked about first, they are shown above its answer. */
  #putFirst(turn: string): void {
    const others = [...this.#turns].filter((other) => other !== turn);
    this.#turns.clear();
    for (const one of [turn, ...others]) this.#turns.add(one);
  }

  #send(message: JsonObject): string {
    const id = this.#newId();
    const withId = { ...message, id };
    if (this.#session === null) this.#waiting.push(withId);
    else this.#sendInSession(withId, this.#session);
    return id;
  }

  #sendInSession(message: JsonObject, session: string): void {
    const sent = this.#client.send({ ...message, meta: { "session-id": session } });
    if (sent.ok) return;
    const refused = { kind: "refused", id: String(message["id"]), reason: cleanText(sent.reason) } as const;
    // Whoever sent it does not know its id yet.
    queueMicrotask(() => this.#listener(refused));
  }

  #onEvent(event: ClientEvent): void {
    switch (event.kind) {
      case "ready":
        this.#takesSize = event.daemon.capabilities.includes(terminalSizeCapability);
        this.#told.clear();
        this.#open();
        this.#listener({ kind: "ready", version: cleanText(event.daemon.version) });
        return;
      case "waiting": {
        const { code, error, reason, milliseconds } = event;
        this.#listener({ kind: "lost", code, error, reason: cleanText(reason), milliseconds });
        return;
      }
      case "accepted": {
        const turn = textOf(event.message, "meta", "turn-id");
        if (turn !== null) this.watch(turn);
        if (textOf(event.message, "payload", "words") !== null) {
          this.#listener({ kind: "message", message: cleanMessage(event.message) });
          return;
        }
        if (turn !== null && this.#steering.delete(event.id)) this.#putFirst(turn);
        this.#listener({ kind: "accepted", id: event.id, turn });
        return;
      }
      case "refused":
        this.#listener({ kind: "refused", id: event.id, reason: cleanText(event.reason) });
        return;
      case "message":
        this.#onMessage(cleanMessage(event.message));
        return;
      case "closed":
    }
  }

  #onMessage(message: JsonObject): void {
    if (this.#told.delete(String(message["id"]))) return;
    const isOpened =
      textOf(message, "payload", "action") === "session" &&
      textOf(message, "payload", "id") === this.#opening;
    const session = textOf(message, "meta", "session-id");
    const event = eventOf(message);
    if (event !== null && isEnd(event)) this.#turns.delete(event.turn);
    if (!isOpened || session === null) {
      this.#listener({ kind: "message", message });
      return;
    }
    const again = this.#session === session;
    this.#session = session;
    for (const waiting of this.#waiting.splice(0)) this.#sendInSession(waiting, session);
    this.#listener({ kind: "opened", session, description: descriptionOf(message), again });
    this.#tellSize();
    if (again) for (const turn of this.#turns) this.#follow(turn);
  }

  #open(name: string | null = this.#session ?? this.#wanted.name): void {
    this.#opening = this.#newId();
    const payload = {
      action: "session",
      ...(name === null ? {} : { name }),
      ...(name === null && this.#wanted.latest ? { latest: true } : {}),
    };
    this.#client.sendBestEffort({ type: "request", id: this.#opening, payload });
  }

  #tellSize(): void {
    const size = this.#terminal?.size() ?? null;
    if (size === null || this.#session === null || !this.#takesSize) return;
    const id = this.#newId();
    this.#told.add(id);
    const meta = { "session-id": this.#session };
    this.#client.sendBestEffort({ type: "request", id, meta, payload: sizeRequest(nearestSize(size)) });
  }

  #follow(turn: string): void {
    const payload = { action: "follow", turn };
    this.#client.sendBestEffort({ type: "request", id: this.#newId(), payload });
  }
}

function textOf(message: JsonObject, part: "meta" | "payload", key: string): string | null {
  const found = message[part];
  const value = isJsonObject(found) ? found[key] : undefined;
  return typeof value === "string" ? value : null;
}
