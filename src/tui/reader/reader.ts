import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { noModel, notTrusted, type SessionDescription } from "../../shown/session-description.ts";
import { isEnd, type LoopEvent } from "../../signal/loop-event.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { versionNotice } from "../../text/version-notice.ts";
import { eventOf } from "../../wire/codec/loop-events.ts";
import { pastOf, piecesOf } from "../calls/past-turn.ts";
import { answeredElsewhere, isRefusal } from "../conversation/said-words.ts";
import { offersOf, requestOf } from "../questions/offers.ts";
import { answerGuard } from "../screen/answer-guard.ts";
import { cleanText } from "../screen/clean.ts";
import { shortPath, withShortHome } from "../screen/short-path.ts";
import { isAbsent, type SessionEvent, type WireSession } from "../session/wire-session.ts";
import { ReaderCalls } from "./reader-calls.ts";
import { ReaderHidden } from "./reader-hidden.ts";
import { answerLines, attachedIn, endLine, pieceLines, questionLines } from "./reader-lines.ts";

/** What the conversation for a screen reader needs. */
export type ReaderParts = {
  readonly out: (line: string) => void;
  readonly home: string;
  readonly version: string;
  readonly clock: () => number;
  /** Reads a line that is not shown; null where the person refuses. */
  readonly readHidden: () => Promise<string | null>;
  readonly openSession: (listener: (event: SessionEvent) => void) => WireSession;
};

/**
 * The conversation for a screen reader: labelled lines, one below the other, and no escape sequence at all. What is typed is a whole line of the
 * terminal; a question is answered by a number.
 */
export class Reader {
  readonly #parts: ReaderParts;
  readonly #session: WireSession;
  readonly #calls: ReaderCalls;
  readonly #hidden: ReaderHidden;
  /** The questions that wait, by their turn. The first was read out, and numbers answer it; the others come behind it. */
  readonly #questions = new Map<string, ApprovalQuestion>();
  #readAt = 0;
  readonly #left = Promise.withResolvers<void>();
  readonly #ended = new Set<string>();
  /** The request for what was said before; null where none is on the way. */
  #past: string | null = null;
  /** The ids of files that go with the next words. */
  #attached: readonly string[] = [];
  /** The files of words that the daemon has not taken yet, by the ids of the words. */
  readonly #sent = new Map<string, readonly string[]>();
  #isAway = false;
  /** Why there was no connection the last time; the same is said once. */
  #trouble = "";
  #interrupts = 0;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#calls = new ReaderCalls({ home: parts.home, say: (lines) => this.#say(lines) });
    this.#hidden = new ReaderHidden({
      say: (lines) => this.#say(lines),
      request: (payload) => void this.#session.request(payload),
      read: parts.readHidden,
    });
    this.#say([
      `Passepartout ${parts.version}, for screen readers. Every line begins with what it is. Type a message and press Enter; /help lists the commands, /exit leaves.`,
    ]);
    this.#session = parts.openSession((event) => this.#onEvent(event));
  }

  /** Resolves when the owner has left. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  leave(): void {
    this.#left.resolve();
  }

  /** A line that the owner typed, or several that were pasted: those answer nothing, and are no command. */
  enter(line: string, pasted: boolean): void {
    this.#interrupts = 0;
    const text = line.trim();
    if (text === "") return;
    if (!pasted && (text === "/exit" || text === "/quit")) this.leave();
    // One pasted line comes as a typed one does, and a command of the owner's own runs without a question.
    else if (text.startsWith("!"))
      this.notice(
        "Nothing ran: here nobody can tell a pasted line from a typed one. Ask for the command in words, or type it into the terminal client.",
      );
    else if (pasted || !this.#answer(text)) {
      const attachments = !pasted && text.startsWith("/") ? [] : this.#attached;
      if (attachments.length > 0) this.#attached = [];
      this.#sent.set(this.#session.say(text, { pasted, attachments }), attachments);
    }
  }

  /** Ctrl-C: stops what runs; twice leaves. */
  interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) {
      this.leave();
      return;
    }
    this.#session.request({ action: "stop", "keep-questions": true });
    this.notice("Stopping. Ctrl-C again leaves.");
  }

  notice(text: string): void {
    this.#say([`Notice: ${withShortHome(text, this.#parts.home)}`]);
  }

  /** Answers the first question that waits by a number. One that came while the line was typed is not answered. */
  #answer(text: string): boolean {
    const [first] = this.#questions.values();
    // Only a no has words behind its number: a message, too, may begin with a number.
    const [, reason = ""] = /^3\s+(.+)$/s.exec(text) ?? [];
    const number = reason !== "" ? "3" : /^[1-5]$/.test(text) ? text : "";
    if (first === undefined || number === "") return false;
    if (this.#parts.clock() - this.#readAt < answerGuard) {
      this.notice("This question came while you typed, so nothing was answered. Read it, then answer again.");
      return true;
    }
    const { token, turn } = first;
    const wanted = { 4: "keep-rule", 5: "endorse" }[number];
    const offer = offersOf(first, "").find(({ effect }) => effect === wanted);
    if (wanted !== undefined && offer === undefined) return false;
    if (number === "3" && reason === "") {
      this.notice("Nothing was answered. Write the reason behind the 3, as in: 3 not today.");
      return true;
    }
    if (number === "1") this.#session.request({ action: "approve", token });
    else if (offer !== undefined) this.#session.request(requestOf(first, offer));
    else this.#session.request({ action: "deny", token, ...(reason === "" ? {} : { reason }) });
    this.#questions.delete(turn);
    this.#readFirst();
    return true;
  }

  /** Reads out the question that numbers answer now. */
  #readFirst(): void {
    const [first] = this.#questions.values();
    if (first === undefined) return;
    this.#readAt = this.#parts.clock();
    this.#say(questionLines(first, this.#parts.home));
  }

  /** A question of this session: it is read out when no other one stands before it. */
  #ask(question: ApprovalQuestion): void {
    this.#calls.steps.ask(question.turn, question.action);
    this.#questions.set(question.turn, question);
    const [first] = this.#questions.values();
    if (first === question) this.#readFirst();
    else this.notice("Another question waits. It is read out once the one before it is answered.");
  }

  #onEvent(event: SessionEvent): void {
    switch (event.kind) {
      case "opened": {
        if (!event.again) this.#greet(event.description);
        else if (this.#isAway) this.notice("The daemon is back.");
        this.#isAway = false;
        return;
      }
      case "lost":
        this.#calls.steps.lose();
        this.#hidden.lose();
        this.#lose(event);
        return;
      case "refused":
        this.#takeBack(event.id);
        this.#say([`Refused: ${event.reason}`]);
        // The connection that ends over it says the same.
        this.#trouble = event.reason;
        return;
      case "message":
        this.#onMessage(event.message);
        return;
      case "ready": {
        const notice = versionNotice(event.version, this.#parts.version);
        if (notice !== null) this.notice(notice);
        return;
      }
      case "accepted":
        this.#sent.delete(event.id);
    }
  }

  /** Files of words that the daemon did not take go with the next words. */
  #takeBack(id: string): void {
    this.#attached = [...(this.#sent.get(id) ?? []), ...this.#attached];
    this.#sent.delete(id);
  }

  #lose({ code, reason }: Extract<SessionEvent, { kind: "lost" }>): void {
    const isKnown = isAbsent(code)
      ? this.#isAway || this.#session?.session === null
      : reason === this.#trouble;
    if (!isKnown) this.notice(isAbsent(code) ? "The daemon is away. Trying again." : reason);
    if (!isAbsent(code)) this.#trouble = reason;
    this.#isAway ||= !isKnown;
  }

  #greet({ workspace, isTrusted, orders, hasModel, recovered, last }: SessionDescription): void {
    this.#say([workspace === null ? "Folder: none." : `Folder: ${shortPath(workspace, this.#parts.home)}.`]);
    if (workspace !== null && !isTrusted) this.notice(`This folder is not trusted: ${notTrusted}`);
    if (orders !== null) this.notice(orders);
    if (!hasModel) this.notice(noModel);
    for (const text of recovered) this.notice(text);
    if (last !== null) this.#past = this.#session.request({ action: "history", limit: mostPast });
  }

  /** Reads out what was said and done before. */
  #recall(data: Json): void {
    for (const turn of isJsonArray(data) ? data : []) {
      if (!isJsonObject(turn)) continue;
      const past = pastOf(turn);
      this.#say([
        `Before, ${past.isJob ? "the job" : "you"}: ${past.words}`,
        ...piecesOf(past).flatMap(pieceLines),
      ]);
      if (past.ended && !this.#ended.has(past.id))
        this.#say(["Agent:", ...answerLines(past.answer), "End of answer."]);
      if (past.ended) this.#ended.add(past.id);
    }
  }

  #onMessage(message: JsonObject): void {
    if (this.#hidden.observe(message)) return;
    const event = eventOf(message);
    if (event === null) {
      const { type, id, payload } = message;
      if (typeof id === "string" && id === this.#past) {
        this.#past = null;
        this.#recall(isJsonObject(payload) ? (payload["data"] ?? null) : null);
        return;
      }
      if (isRefusal(message)) this.#takeBack(String(id ?? ""));
      this.#attached = [...this.#attached, ...attachedIn(payload ?? null)];
      const text = type === "response" && isJsonObject(payload) ? payload["text"] : "";
      if (typeof text === "string" && text !== "")
        this.#say(answerLines(withShortHome(text, this.#parts.home)));
      return;
    }
    if (this.#ended.has(event.turn)) return;
    const [first] = this.#questions.keys();
    const isOver = event.type !== "approval-required" && this.#questions.delete(event.turn);
    if (isOver && !isEnd(event)) this.notice(answeredElsewhere);
    this.#onStep(event);
    if (isOver && first === event.turn) this.#readFirst();
  }

  #onStep(event: LoopEvent): void {
    switch (event.type) {
      case "approval-required": {
        if (event.session === this.#session.session) this.#ask(event);
        else this.#say([elsewhere]);
        return;
      }
      case "thinking":
        this.#calls.steps.think(event.turn, event.depth);
        if (event.text !== "") this.notice(event.text);
        return;
      case "proposed":
        this.#calls.propose(event);
        return;
      case "verdict":
        this.#calls.judge(event);
        return;
      case "outcome":
        this.#calls.finish(event);
        return;
      case "answered":
        this.#end(event.turn, "");
        this.#say(["Agent:", ...answerLines(event.text), "End of answer."]);
        return;
      case "blocked":
      case "failed":
      case "stopped":
        this.#end(event.turn, event.code);
        this.#say([withShortHome(endLine(event), this.#parts.home)]);
        return;
      case "thought":
      case "text":
      case "output":
      case "accepted":
    }
  }

  #end(turn: string, code: string): void {
    this.#calls.steps.end(turn, code);
    this.#ended.add(turn);
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#parts.out(`${cleanText(line)}\n`);
  }
}

const elsewhere =
  "Notice: A question waits in another conversation. Answer it there, or by passepartout approve in a shell.";
/** Turns of the past that are read out when a session is continued. */
const mostPast = 3;
