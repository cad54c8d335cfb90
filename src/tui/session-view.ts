import type { SessionDescription } from "../shown/session-description.ts";
import { joinedCode } from "../signal/turn.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { versionNotice } from "../text/version-notice.ts";
import { type PastTurn, pastOf } from "./calls/past-turn.ts";
import { type ListedCommand, listedCommands } from "./conversation/command-list.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { greet } from "./conversation/greet.ts";
import { factsOf, focusLine, problemOf } from "./overview.ts";
import { type ListedNote, notesIn } from "./prompt/complete.ts";
import { HiddenAnswer } from "./prompt/hidden-answer.ts";
import type { MaskedLook } from "./prompt/masked-field.ts";
import { Passphrase } from "./prompt/passphrase.ts";
import type { Typing } from "./screen/answer-guard.ts";
import { type SilentAnswer, SilentRequests } from "./session/silent-requests.ts";
import type { SessionEvent, WireSession } from "./session/wire-session.ts";

/** Turns of a session that are shown again when it is continued. */
const replayed = 50;

type SessionPlace = { readonly home: string; readonly folder: string; readonly version: string };

/** What the screen asks the daemon for by itself: commands, figures, the past of a session, and whether the vault is open. */
export class SessionView {
  /** What is typed and never shown, in the order in which it takes keys. */
  readonly #masked: readonly [HiddenAnswer, Passphrase];
  readonly #conversation: Conversation;
  readonly #session: () => WireSession;
  readonly #requests: SilentRequests;
  readonly #changed: () => void;
  readonly #place: SessionPlace;
  #commands: readonly ListedCommand[] = listedCommands(null);
  #facts: readonly string[] = [];
  #problem: string | null = null;
  readonly #answered = new Set<string>();
  #workspace: string | null;
  #wasOpen = false;
  /** What is done once the past of the session is shown; null where it is not awaited. */
  #awaited: (() => void) | null = null;
  #isLost = false;

  constructor(parts: {
    readonly session: () => WireSession;
    readonly conversation: Conversation;
    readonly changed: () => void;
    readonly place: SessionPlace & { readonly clock: () => number };
    readonly typing: Typing;
  }) {
    this.#conversation = parts.conversation;
    this.#session = parts.session;
    this.#changed = parts.changed;
    this.#place = parts.place;
    this.#workspace = parts.place.folder;
    this.#requests = new SilentRequests(parts.session);
    const typing = {
      say: (text: string, tone: "dim" | "warning") => this.#conversation.notice(text, tone),
      clock: parts.place.clock,
      typing: parts.typing,
    };
    this.#masked = [new HiddenAnswer(this.#requests, typing), new Passphrase(this.#requests, typing)];
  }

  /** The masked field that keys go to; null where there is none. */
  get masked(): MaskedLook | null {
    return this.#masked.map(({ look }) => look).find((look) => look !== null) ?? null;
  }

  /** Takes a key, or what was pasted, where a masked field is open. */
  takeMasked(kind: "key" | "paste", data: string): boolean {
    const open = this.#masked.find(({ look }) => look !== null);
    return (kind === "key" ? open?.takeKey(data) : open?.takeText(data)) === true;
  }

  /** Asks for something whose answer is seen by what happens. */
  ask(payload: JsonObject, answered: (answer: SilentAnswer) => void = () => {}): void {
    this.#requests.ask(payload, answered);
  }

  /** Shows the past of the session again, after it changed, and below it what was said of that. */
  showAgain(text: string): void {
    this.#conversation.forget();
    this.#replay(() => this.#conversation.notice(text));
  }

  /**
   * The notes whose title holds these words; none where they are not wanted any more before the daemon
   * answers.
   */
  listNotes(words: string, unwanted: AbortSignal): Promise<readonly ListedNote[]> {
    return new Promise((resolve) => {
      if (unwanted.aborted) return resolve([]);
      unwanted.addEventListener("abort", () => resolve([]), { once: true });
      this.#requests.ask({ action: "titles", query: words }, ({ data }) => resolve(notesIn(data)));
    });
  }

  /** Says that the past of the session is still to come; empty where it is not. */
  get loading(): string {
    return this.#awaited === null || this.#isLost ? "" : "loading what was said before …";
  }

  get commands(): readonly ListedCommand[] {
    return this.#commands;
  }

  /** Asks for the commands anew: their owner may write further ones at any time. */
  learnCommands(): void {
    this.#requests.ask({ action: "help" }, ({ data }) => {
      this.#commands = listedCommands(data);
    });
  }

  get facts(): readonly string[] {
    return this.#facts;
  }

  get problem(): string | null {
    return this.#problem;
  }

  get workspace(): string | null {
    return this.#workspace;
  }

  /** Takes in an event; true for one that is no part of the conversation. */
  observe(event: SessionEvent): boolean {
    if (event.kind === "refused") return this.#requests.refuse(event.id, event.reason);
    if (event.kind === "ready") this.#greetDaemon(event.version);
    if (event.kind === "opened") this.#open(event.description, event.again);
    const [hidden] = this.#masked;
    if (event.kind === "lost") {
      hidden.lose();
      this.#isLost = true;
    }
    if (event.kind !== "message") return false;
    if (hidden.observe(event.message)) return true;
    if (this.#requests.take(event.message)) {
      this.#changed();
      return true;
    }
    const past = pastChangedBy(event.message);
    if (past !== null) {
      this.showAgain(past);
      return true;
    }
    if (isUndo(event.message)) this.#learn();
    if (event.message["type"] === "response") this.#update(this.#newAnswer(event.message));
    return false;
  }

  #greetDaemon(version: string): void {
    const notice = versionNotice(version, this.#place.version);
    if (notice !== null) this.#conversation.notice(notice, "warning");
  }

  #open(description: SessionDescription, again: boolean): void {
    this.#workspace = description.workspace;
    this.#isLost = false;
    // What was on its way when the connection was lost never comes.
    if (again && this.#awaited !== null) this.#replay(this.#awaited);
    if (!again) {
      this.#awaited = null;
      // Answers that came before the first session was open belong to it.
      if (this.#wasOpen) this.#conversation.forget();
      this.#wasOpen = true;
      greet(this.#conversation, description, this.#place);
      this.learnCommands();
      if (description.last !== null) this.#replay();
    } else if (this.#conversation.calls.areOpen) this.#learn();
    for (const text of description.recovered) this.#conversation.notice(text, "warning");
    this.#update(null);
    const [, passphrase] = this.#masked;
    passphrase.check();
  }

  #update(turn: string | null): void {
    this.#requests.ask({ action: "overview" }, ({ data }) => {
      this.#facts = factsOf(data);
      this.#problem = problemOf(data);
      const line = asksNone(data, turn) ? null : focusLine(data, this.#conversation.works.last);
      if (turn !== null && line !== null) this.#conversation.noteTurn(turn, line);
    });
  }

  /** The turn that was answered now. After a connection that was lost, an answer may come again. */
  #newAnswer({ meta, payload }: JsonObject): string | null {
    const turn = isJsonObject(meta) ? meta["turn-id"] : null;
    if (typeof turn !== "string" || !isJsonObject(payload) || this.#answered.has(turn)) return null;
    if (payload["outcome"] !== "answered" || payload["code"] === joinedCode) return null;
    this.#answered.add(turn);
    return turn;
  }

  /** Brings the calls that are shown up to date. */
  #learn(): void {
    this.#requests.ask({ action: "history", limit: replayed }, ({ data }) => {
      if (isJsonArray(data))
        this.#conversation.calls.learn(data.flatMap((turn) => (isJsonObject(turn) ? [pastOf(turn)] : [])));
    });
  }

  /** Shows the past of the session. Of several requests only the last counts. */
  #replay(shown: () => void = () => {}): void {
    const awaited = (): void => shown();
    this.#awaited = awaited;
    this.#requests.ask({ action: "history", limit: replayed }, ({ data }) => {
      if (this.#awaited !== awaited) return;
      this.#awaited = null;
      if (!isJsonArray(data)) return;
      for (const turn of data) if (isJsonObject(turn)) this.#addPast(pastOf(turn));
      shown();
    });
  }

  #addPast(past: PastTurn): void {
    this.#conversation.addPast(past);
    if (!past.ended) this.#session().watch(past.id);
  }
}

/** Whether the figures of an overview are those of another turn, since this one asked no model. */
function asksNone(data: Json, turn: string | null): boolean {
  const asking = isJsonObject(data) ? data["asking-turn"] : undefined;
  return typeof asking === "string" && asking !== turn;
}

/** Whether a message says that something was undone, or done again. */
function isUndo({ type, payload }: JsonObject): boolean {
  if (type !== "response" || !isJsonObject(payload)) return false;
  const codes = ["undone", "undone-in-part", "redone", "rolled-back"];
  return typeof payload["code"] === "string" && codes.includes(payload["code"]);
}

/** What a command said that changed the past of the session; null for every other message. */
function pastChangedBy({ type, payload }: JsonObject): string | null {
  if (type !== "response" || !isJsonObject(payload) || typeof payload["text"] !== "string") return null;
  const { code, text } = payload;
  // Of what a kill cut off nobody can say here whether it changed the past.
  const changed = ["rewound", "rewound-in-part", "words-back", "unknown-outcome"];
  return typeof code === "string" && changed.includes(code) ? text : null;
}
