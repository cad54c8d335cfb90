import { randomUUID } from "node:crypto";
import type { SessionDescription } from "../../shown/session-description.ts";
import type { HiddenAsker } from "../../signal/hidden-prompt.ts";
import type { LoopEvent, LoopListener } from "../../signal/loop-event.ts";
import type { Wait } from "../../text/clock.ts";
import { countOf } from "../../text/count-of.ts";
import type { JsonObject } from "../../text/json.ts";
import type { TerminalSize } from "../../text/terminal-size.ts";
import { versionNotice } from "../../text/version-notice.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Client, ClientEvent } from "../../wire/client/client.ts";
import type { DaemonHello } from "../../wire/client/client-connection.ts";
import { eventOf } from "../../wire/codec/loop-events.ts";
import { descriptionOf } from "../../wire/codec/session-description.ts";
import { sizeRequest, terminalSizeCapability } from "../../wire/codec/terminal-sizes.ts";
import type { UndeliveredAnswer } from "../agent/resources/agent.ts";
import { PendingRequests } from "./pending-requests.ts";
import {
  announcementOf,
  metaText,
  type SessionRequest,
  sessionRequest,
  submitResultOf,
  undeliveredAnswerOf,
} from "./remote-messages.ts";
import { RemoteTurns } from "./remote-turns.ts";
import { ShownPrompts } from "./shown-prompts.ts";

/** What a connection to a daemon is made of. `client` has just become ready. */
export type DaemonConnectionParts = {
  readonly client: Client;
  readonly daemon: DaemonHello;
  readonly wait: Wait;
  readonly warn: (message: string) => void;
};

/** Milliseconds that a command waits for a daemon that went away before it gives up. */
const patience = 10_000;
/** Milliseconds that it waits for a daemon that said that an update is installed. */
const patienceAtUpdate = 60_000;

/** Faults of the daemon, one after the other without a reply, after which a request is given up. */
const mostFaults = 3;

/** Errors with which the daemon refuses this client whenever it connects. */
const lasting: ReadonlySet<string> = new Set(["state-gone", "workspace", "source", "other-protocol"]);

const wentAway =
  "The agent that this ran in is gone (its process has ended). What it accepted goes on when an agent starts again; ask with --continue then.";

/** A client's connection to the daemon. After a lost connection it joins its sessions again, and repeats what was not replied to. */
export class DaemonConnection implements AsyncDisposable {
  readonly #client: Client;
  readonly #wait: Wait;
  readonly #warn: (message: string) => void;
  readonly #pending = new PendingRequests();
  readonly #turns = new RemoteTurns();
  readonly #prompts = new ShownPrompts();
  readonly #listeners = new Set<LoopListener>();
  /** Questions that came before anybody listened. */
  readonly #unheard: LoopEvent[] = [];
  readonly #undelivered = new Map<string, UndeliveredAnswer[]>();
  readonly #descriptions = new Map<string, SessionDescription>();
  /** Each session with whether this client is told of its own turns alone. */
  readonly #sessions = new Map<string, boolean>();
  readonly #sizes = new Map<string, TerminalSize>();
  #daemon: DaemonHello;
  #reconnects = 0;
  /** Faults of the daemon since its last reply to a request. */
  #faults = 0;
  #opening = 0;
  #patience = patience;
  #away: AbortController | null = null;
  #closed = false;

  constructor({ client, daemon, wait, warn }: DaemonConnectionParts) {
    this.#client = client;
    this.#daemon = daemon;
    this.#wait = wait;
    this.#warn = warn;
    client.on((event) => this.#onClientEvent(event));
  }

  subscribe(listener: LoopListener): () => void {
    this.#listeners.add(listener);
    for (const event of this.#unheard.splice(0)) listener(event);
    return () => this.#listeners.delete(listener);
  }

  askThrough(asker: HiddenAsker): () => void {
    return this.#prompts.askThrough(asker);
  }

  /** Tells the size of the owner's terminal to a daemon that takes it, also to each that follows. */
  tellSize(session: string, size: TerminalSize): void {
    this.#sizes.set(session, size);
    if (!this.#daemon.capabilities.includes(terminalSizeCapability)) return;
    const meta = { "session-id": session };
    this.#client.sendBestEffort({ type: "request", id: randomUUID(), meta, payload: sizeRequest(size) });
  }

  /** Sends a request and resolves with its reply. The client repeats it until the daemon has accepted it. */
  request<T>(
    message: JsonObject,
    read: (reply: JsonObject) => T | null,
    id: string = randomUUID(),
  ): Promise<T> {
    return this.#pending.request(id, { send: () => this.#client.send({ ...message, id }).ok, read });
  }

  /**
   * Submits words or a command. `decides`: it answers a question, and begins no turn. After a reconnection the turn is asked about, since
   * it may have ended unheard.
   */
  submit(message: JsonObject, { decides }: { readonly decides: boolean }): Promise<SubmitResult> {
    const id = randomUUID();
    const reconnects = this.#reconnects;
    const observed = this.#turns.observedCount;
    const read = (reply: JsonObject): SubmitResult | null => {
      const result = submitResultOf(reply);
      if (result?.kind !== "turn") return result;
      const { turn, session } = result;
      if (decides) this.#turns.markResumed(turn, observed);
      else this.#observe({ type: "accepted", session, turn, id });
      if (reconnects !== this.#reconnects) this.#follow(turn);
      return result;
    };
    return this.request(message, read, id);
  }

  /** Joins a session, with what waited in it. `ownAfterwards`: from then on only this client's own turns are told. */
  async openSession(wanted: SessionRequest, ownAfterwards: boolean): Promise<string> {
    this.#opening += 1;
    try {
      const session = await this.#join(wanted);
      if (ownAfterwards && !wanted.own) await this.#join({ name: session, latest: false, own: true });
      this.#sessions.set(session, ownAfterwards);
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  /** Resolves once the turn is final or suspended, as far as is known. */
  whenSettled(turn: string): Promise<void> {
    return this.#turns.whenSettled(turn);
  }

  /** What the daemon told of a session when it was opened. */
  describe(session: string): SessionDescription {
    return this.#descriptions.get(session) ?? descriptionOf({});
  }

  /** The answers that came while a session was opened. */
  undelivered(session: string): readonly UndeliveredAnswer[] {
    return this.#undelivered.get(session) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#away?.abort();
    const unsent = await this.#client.close();
    if (unsent.length > 0)
      this.#warn(
        `${countOf(unsent.length, "message")} did not reach the daemon. Send what is missing again.`,
      );
  }

  #onClientEvent(event: ClientEvent): void {
    switch (event.kind) {
      case "message":
      case "accepted":
        this.#onMessage(event.message);
        return;
      case "refused":
        this.#pending.refuse(event.id, event.reason);
        return;
      case "ready":
        this.#tellOfUpdate(event.daemon);
        this.#daemon = event.daemon;
        this.#onReconnect();
        return;
      case "waiting":
        this.#onLost();
        if (event.error === "fault") this.#faults += 1;
        if (lasting.has(event.error) || this.#faults === mostFaults) this.#fail(new Error(event.reason));
        return;
      case "closed":
        this.#away?.abort();
    }
  }

  /** Another version took over while this client was open: it is the older one now. */
  #tellOfUpdate({ version }: DaemonHello): void {
    const notice = version === this.#daemon.version ? null : versionNotice(version, this.#daemon.version);
    if (notice !== null) this.#warn(notice);
  }

  #onMessage(message: JsonObject): void {
    if (this.#pending.handle(message)) this.#faults = 0;
    this.#prompts.observe(message);
    const announced = announcementOf(message);
    if (announced !== null) {
      this.#patience = patienceAtUpdate;
      this.#warn(announced);
    }
    const event = eventOf(message);
    if (event !== null && event.type !== "accepted") this.#observe(event);
  }

  /** Tells the listeners of an event that is news; an answer that comes while a session is opened was not shown yet. */
  #observe(event: LoopEvent): void {
    if (!this.#turns.observe(event)) return;
    const answer = this.#opening > 0 ? undeliveredAnswerOf(event) : null;
    if (answer !== null) {
      this.#undelivered.set(event.session, [...this.undelivered(event.session), answer]);
    }
    this.#emit(event);
  }

  #emit(event: LoopEvent): void {
    if (this.#listeners.size === 0 && event.type === "approval-required") this.#unheard.push(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  #onLost(): void {
    if (this.#away !== null || this.#closed) return;
    this.#away = new AbortController();
    this.#prompts.loseAll();
    const { signal } = this.#away;
    const reason = "the connection to the daemon was lost before the answer was complete";
    for (const event of this.#turns.withdrawStreams(reason)) this.#emit(event);
    void this.#wait(this.#patience, signal).then(() => {
      if (!signal.aborted) this.#fail(new Error(wentAway));
    });
  }

  #onReconnect(): void {
    this.#reconnects += 1;
    this.#away?.abort();
    this.#away = null;
    for (const [name, own] of this.#sessions) {
      this.#client.sendBestEffort(sessionRequest(randomUUID(), { name, latest: false, own }));
    }
    for (const [session, size] of this.#sizes) this.tellSize(session, size);
    this.#pending.resendAll();
    for (const turn of this.#turns.awaited()) this.#follow(turn);
  }

  #fail(error: Error): void {
    // Whoever waits for a reply gets the reason and tells it.
    if (!this.#pending.failAll(error)) this.#warn(error.message);
    this.#turns.releaseAll();
  }

  #follow(turn: string): void {
    const payload = { action: "follow", turn };
    this.#client.sendBestEffort({ type: "request", id: randomUUID(), payload });
  }

  #join(wanted: SessionRequest): Promise<string> {
    const id = randomUUID();
    return this.#pending.request(id, {
      send: () => this.#client.sendBestEffort(sessionRequest(id, wanted)),
      read: (message) => {
        const session = metaText(message, "session-id");
        if (session !== null && !wanted.own) this.#descriptions.set(session, descriptionOf(message));
        return session;
      },
    });
  }
}
