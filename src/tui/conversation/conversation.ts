import type { LoopEvent } from "../../signal/loop-event.ts";
import { joinedCode } from "../../signal/turn.ts";
import type { JsonObject } from "../../text/json.ts";
import { eventOf } from "../../wire/codec/loop-events.ts";
import { CallBlock } from "../calls/call-block.ts";
import { inFolder, knownOfOutcome, knownOfVerdict } from "../calls/call-events.ts";
import { type PastPiece, type PastTurn, type PastWork, piecesOf, withFiles } from "../calls/past-turn.ts";
import { type PlaceInStep, StepCalls } from "../calls/step-calls.ts";
import { cleanText } from "../screen/clean.ts";
import { withShortHome } from "../screen/short-path.ts";
import { messengers } from "../session/messengers.ts";
import { isAbsent, type SessionEvent } from "../session/wire-session.ts";
import { NoticeBlock, OwnerBlock, type Tone } from "../words/text-blocks.ts";
import { Answers } from "./answers.ts";
import { CommandsBlock } from "./command-list.ts";
import { OpenQuestions } from "./open-questions.ts";
import {
  answeredElsewhere,
  commandsOf,
  endWords,
  isAtWork,
  isRefusal,
  notGivenBack,
  saidElsewhere,
  saidOf,
} from "./said-words.ts";
import { type CallPlace, ShownCalls } from "./shown-calls.ts";
import { Transcript } from "./transcript.ts";
import { type SaidWords, type WaitingWords, WordQueue } from "./word-queue.ts";
import { type Work, WorkClock } from "./work-clock.ts";

/** What a person sees of a session: the transcript, what runs, and the questions that wait. It changes by the session's events alone. */
export class Conversation {
  readonly transcript = new Transcript();
  readonly questions = new OpenQuestions();
  /** The owner's words whose turn has not begun. */
  readonly words = new WordQueue();
  readonly calls = new ShownCalls();
  readonly #home: string;
  readonly #steps = new StepCalls();
  readonly #answers = new Answers(this.transcript);
  /** What runs, and how long turns worked. */
  readonly works: WorkClock;
  /** Answers that came before the session was open: nobody has seen them yet. */
  readonly #early = new Map<string, string>();
  /** Turns whose end was shown: an end may come twice. */
  readonly #ended = new Set<string>();
  #session = "";
  #workspace: string | null = null;
  /** Why there was no connection the last time; the same is said once. */
  #trouble = "";

  /** `home` is shown as `~` in what the daemon says. */
  constructor(clock: () => number, home = "") {
    this.works = new WorkClock(clock);
    this.#home = home;
  }

  get work(): Work | null {
    return this.works.current;
  }

  get lastAnswer(): string {
    return this.#answers.last;
  }

  /** Which of the questions of its step a turn asks now; null where it is the only one. */
  placeInStep(turn: string): PlaceInStep | null {
    return this.#steps.placeOf(turn);
  }

  /** The owner's words, as they were sent, with the names of the files that go with them. */
  addWords(id: string, text: string, { steers = false, attached = [] }: Partial<WaitingWords> = {}): void {
    const words = { text: cleanText(text), attached };
    if (this.words.add(id, { ...words, steers }, !this.works.isIdle)) this.#showWords(words);
    this.transcript.toEnd();
  }

  #showWords(words: SaidWords | null): void {
    if (words === null) return;
    this.transcript.add(new OwnerBlock(words.text));
    if (words.attached.length > 0) this.notice(withFiles(words.attached), "dim");
  }

  notice(text: string, tone: Tone = "plain"): void {
    this.transcript.add(new NoticeBlock(withShortHome(text, this.#home), tone));
  }

  /** A line about a turn that ended: it stands below that turn, whatever was said since. */
  noteTurn(turn: string, text: string): void {
    this.transcript.addBelow(turn, new NoticeBlock(withShortHome(text, this.#home), "note"));
  }

  /** Forgets what was shown: another session is open, or the past of this one is another. */
  forget(): void {
    this.transcript.clear();
    for (const kept of [this.calls, this.#answers, this.works, this.#early, this.#ended]) kept.clear();
  }

  /** A turn of the past, before what comes now. */
  addPast(past: PastTurn): void {
    const { id, words, answer, plain, left } = past;
    if (this.#ended.has(id)) return;
    if (past.waits && this.works.find(id) === null) {
      this.words.wait(id, { text: words, attached: past.attached }, past.whole);
      return;
    }
    if (words !== "") this.transcript.add(new OwnerBlock(words));
    for (const piece of piecesOf(past)) this.#addPiece(id, piece);
    if (past.work !== null) this.#resume(id, past.work);
    if (!past.ended) return;
    this.#ended.add(id);
    const whole = this.#early.get(id);
    this.#answers.show(whole === undefined ? { text: answer, plain, left } : { text: whole, plain });
  }

  /** Takes up a turn that began before the session was open here. */
  #resume(turn: string, { since, calls }: PastWork): void {
    this.works.begin(turn, since);
    for (const { call, action } of calls) this.#propose({ turn, call, action });
  }

  #addPiece(turn: string, piece: PastPiece): void {
    if (piece.kind === "said") this.#answers.show(piece);
    if (piece.kind === "note") this.notice(piece.text, "dim");
    if (piece.kind === "call") {
      const changes = piece.call.changes && inFolder(piece.call.changes, this.#workspace);
      this.#addCall({ turn, id: piece.id }, new CallBlock({ ...piece.call, changes }));
    }
  }

  #addCall(place: CallPlace, block: CallBlock): void {
    this.calls.add(place, block);
    this.transcript.add(block);
  }

  observe(event: SessionEvent): void {
    switch (event.kind) {
      case "opened":
        // What waits in a session is told anew by its history.
        if (this.#session !== "" && this.#session !== event.session) this.words.clear();
        this.#session = event.session;
        this.questions.session = event.session;
        this.#workspace = event.description.workspace;
        return;
      case "accepted":
        this.#showWords(this.words.accept(event.id, event.turn, this.#ended));
        if (event.turn !== null && this.works.rests(event.turn)) this.#begin(event.turn);
        return;
      case "refused":
        this.#showWords(this.words.refuse(event.id));
        this.notice(event.reason, "error");
        // The connection that ends over it says the same.
        this.#trouble = event.reason;
        return;
      case "message":
        this.#onMessage(event.message);
        return;
      case "lost":
        this.#answers.withdraw();
        this.#steps.lose();
        if (!isAbsent(event.code) && event.reason !== this.#trouble) this.notice(event.reason, "error");
        this.#trouble = event.reason;
        return;
      case "ready":
    }
  }

  #onMessage(message: JsonObject): void {
    const elsewhere = saidElsewhere(message);
    if (elsewhere?.session === this.#session) this.#hear(elsewhere);
    const event = eventOf(message);
    if (event === null) {
      if (isRefusal(message)) this.#showWords(this.words.refuse(String(message["id"] ?? "")));
      const commands = commandsOf(message);
      if (commands !== null) this.transcript.add(new CommandsBlock(commands));
      const said = commands === null ? saidOf(message) : null;
      if (said !== null) this.notice(said.text, said.tone);
      return;
    }
    if (this.questions.observe(event)) this.notice(answeredElsewhere, "dim");
    if (this.#session === "" && event.type === "answered") this.#early.set(event.turn, event.text);
    if (event.session === this.#session && !this.#ended.has(event.turn)) this.#onStep(event);
  }

  #onStep(event: LoopEvent): void {
    if (isAtWork(event)) this.#begin(event.turn);
    switch (event.type) {
      case "thinking":
        this.#answers.end(event.turn);
        this.#steps.think(event.turn, event.depth);
        this.works.note(event.turn, event.depth === 0 ? "thinking" : "working");
        if (event.text !== "") this.notice(event.text, "dim");
        return;
      case "thought":
        this.works.think(event.turn, event.text);
        return;
      case "text":
        if (event.reset) this.notice(`(withdrawn: ${event.text})`, "dim");
        else this.works.note(event.turn, "answering");
        this.#answers.feed(event);
        return;
      case "proposed":
        this.#answers.end(event.turn);
        this.#propose(event);
        return;
      case "verdict":
        this.#judge(event);
        return;
      case "output":
        this.calls.find({ turn: event.turn, id: event.call })?.update({ printed: event.text });
        return;
      case "outcome":
        this.#finish(event);
        return;
      case "approval-required":
        this.#answers.end(event.turn);
        this.#steps.ask(event.turn, event.action);
        this.works.rest(event.turn);
        return;
      case "answered":
        this.#showWords(this.words.end(event.turn));
        if (event.code !== joinedCode) this.#answers.answer(event.turn, event);
        this.#end(event.turn, "");
        return;
      case "blocked":
      case "failed":
      case "stopped":
        if (this.words.giveBack(event.turn)) {
          this.#ended.add(event.turn);
          return;
        }
        this.#answers.end(event.turn);
        this.#showNotGivenBack(event.turn);
        this.notice(endWords(event), event.type === "stopped" ? "warning" : "error");
        this.#end(event.turn, event.code);
        return;
      case "accepted":
        return;
    }
  }

  /** Words of another window wait for their turn here, too, or stand below its begin. */
  #hear({ turn, text }: { readonly turn: string; readonly text: string }): void {
    const words = { text: cleanText(text), attached: [] };
    if (this.#ended.has(turn) || this.works.find(turn) !== null) this.#showWords(words);
    else this.words.wait(turn, words, false);
  }

  /** Words that waited and were not typed in this window stand in the conversation alone. */
  #showNotGivenBack(turn: string): void {
    const words = this.words.end(turn);
    this.#showWords(words);
    if (words !== null) this.notice(notGivenBack, "note");
  }

  #begin(turn: string): void {
    if (this.works.find(turn) !== null) return;
    this.works.begin(turn);
    this.#showWords(this.words.begin(turn));
  }

  #end(turn: string, code: string): void {
    this.#steps.end(turn, code);
    this.#ended.add(turn);
    this.works.end(turn);
    this.transcript.mark(turn);
  }

  #propose(proposed: Pick<Extract<LoopEvent, { type: "proposed" }>, "action" | "call" | "turn">): void {
    const { action, call, turn } = proposed;
    if (messengers.has(action.target)) return;
    const known = this.calls.find({ turn, id: call });
    if (known !== undefined && this.#steps.isOpen(turn, known)) {
      known.update({ action });
      return;
    }
    const unknown = { effects: [], trace: [], gates: null, judgedIn: null, changes: null, outcome: null };
    const block = new CallBlock({ action, ...unknown });
    this.#steps.add(turn, block);
    this.#addCall({ turn, id: call }, block);
    this.works.note(turn, "working");
  }

  #judge(event: Extract<LoopEvent, { type: "verdict" }>): void {
    const block = this.calls.find({ turn: event.turn, id: event.call });
    if (block === undefined) return;
    this.#steps.judge(event.turn, block, event.verdict);
    if (event.verdict === "pass") this.works.note(event.turn, "running");
    block.update(knownOfVerdict(event, this.#home));
  }

  #finish(event: Extract<LoopEvent, { type: "outcome" }>): void {
    const block = this.calls.find({ turn: event.turn, id: event.call });
    if (block === undefined) return;
    this.#steps.finish(event.turn, block);
    this.works.note(event.turn, "working");
    block.update(knownOfOutcome(event, this.#workspace));
  }
}
