import { randomInt } from "node:crypto";
import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import { describeError } from "../../../text/describe-error.ts";
import { formatTime } from "../../../text/format-time.ts";
import type { ChatMessage, ChatTap, OutgoingMessage } from "../chat-service.ts";
import type { ChatQuestions } from "../question-hook.ts";
import { makeCard, withheldCard } from "./card.ts";
import { messageOf, withHandles, withOutcome } from "./card-message.ts";
import type { QuestionCardsParts } from "./cards-parts.ts";
import { findCard, firstKey, isMeantAsAnswer } from "./find-card.ts";
import { hashHandle, newHandle } from "./handle.ts";
import {
  alreadyEnded,
  confirmationOf,
  newCard,
  type OpenCard,
  otherCopy,
  outcomeOf,
  type QuestionEnd,
  type QuestionKey,
  ruleOnTap,
  unknownTap,
} from "./open-card.ts";
import { isTypedWord, pickWord, weightsOf } from "./typed-word.ts";

/** Ended cards that are kept, so that a late tap is told what became of its question. */
const mostEnded = 100;
/** Milliseconds after an end in which its word, typed once more, is no words for the agent. */
const wordLingers = 600_000;
/** Pages of a card that are kept as shown: what an older button held counts no more. */
const mostShown = 16;
/** Tries to send one page whose buttons count. */
const mostTries = 8;

/**
 * The questions of the agent as cards in the chats of a service. A decision is on the disk before it is
 * carried out, and carried out before
 * anybody is told; a tap, a word and an event may each come again after a kill at any point, and the first
 * answer counts.
 */
export class QuestionCards implements ChatQuestions {
  readonly #parts: QuestionCardsParts;
  readonly #cards = new Map<string, OpenCard>();
  /** Changes of cards, one after the other. */
  #changes: Promise<unknown>;

  /** Takes up the cards that a former process left: carries out what was decided, and ends what has ended. */
  constructor(parts: QuestionCardsParts) {
    this.#parts = parts;
    this.#changes = this.#takeUp().catch((error: unknown) =>
      parts.report(`The questions of a chat could not be taken up: ${describeError(error)}`),
    );
  }

  asked(question: ApprovalQuestion): Promise<void> {
    return this.#change(() => this.#ask(question));
  }

  over(turn: string): Promise<void> {
    return this.#change(() => this.#endWhereEnded(turn));
  }

  tapped(tap: ChatTap): Promise<string> {
    return this.#change(() => this.#take(tap));
  }

  said(message: ChatMessage): Promise<boolean> {
    return this.#change(() => this.#takeWord(message));
  }

  dress(key: string, message: OutgoingMessage): Promise<OutgoingMessage> {
    return this.#change(() => this.#giveHandle(key, message));
  }

  knows(question: Pick<QuestionKey, "turn" | "expiresAt">): Promise<boolean> {
    return this.#change(async () => this.#open(question.turn).some((card) => isOf(card, question)));
  }

  #open(turn: string): readonly OpenCard[] {
    return [...this.#cards.values()].filter((card) => card.turn === turn && card.end === null);
  }

  #change<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(act);
    this.#changes = Promise.allSettled([done]);
    return done;
  }

  async #takeUp(): Promise<void> {
    for (const card of await this.#parts.store.all()) this.#cards.set(card.id, card);
    for (const card of [...this.#cards.values()]) {
      if (card.end !== null) {
        if (!card.isTold) await this.#tellEnd(card);
        continue;
      }
      if (card.decision !== null) await this.#carryOut(card);
      await this.#endWhereEnded(card.turn);
      const open = this.#cards.get(card.id);
      if (open?.end === null) await this.#postLast(open);
    }
  }

  /** Keeps a card on the disk, and then here: nothing counts that a kill could take back. */
  async #put(card: OpenCard): Promise<OpenCard> {
    const ended = [...this.#cards.values()].filter(({ isTold }) => isTold);
    const dropped = ended.slice(0, Math.max(0, ended.length - mostEnded)).map(({ id }) => id);
    await this.#parts.store.save([card], dropped);
    for (const id of dropped) this.#cards.delete(id);
    this.#cards.set(card.id, card);
    return card;
  }

  async #ask(question: ApprovalQuestion): Promise<void> {
    await this.#endWhereEnded(question.turn);
    const { answers, assistant, isPrivate, mayStandOnLockScreen, placeOf, time } = this.#parts;
    const known = this.#open(question.turn).some((card) => isOf(card, question));
    const place = known || question.expiresAt <= time().now ? null : await placeOf(question);
    if (place === null) return;
    const isWithheld = await isPrivate(question);
    const weights = isWithheld ? [] : weightsOf(question);
    const open = [...this.#cards.values()].filter(({ end }) => end === null);
    const taken = new Set(open.flatMap(({ word }) => word ?? []));
    const word = weights.length === 0 ? null : pickWord(taken, randomInt);
    const context = { time: time(), assistant, answers, weights, word };
    const card = isWithheld ? withheldCard(question, context) : makeCard(question, context);
    await this.#show(newCard(place, question, card), mayStandOnLockScreen ? 1 : 0);
  }

  /**
   * Shows a page of a card: in the place of the one before, or as a message of its own where reactions
   * answer.
   */
  async #show(card: OpenCard, page: number): Promise<void> {
    const key = `${this.#parts.service}:card:${card.id}:${card.shown.length === 0 ? 0 : numberOf(card) + 1}`;
    const added = { key, page, handles: [], at: this.#parts.time().now };
    await this.#postLast(await this.#put({ ...card, shown: [...card.shown, added].slice(-mostShown) }));
  }

  /** Posts the page that is to show: again after a kill, which changes nothing where it was. */
  async #postLast(card: OpenCard): Promise<void> {
    const last = card.shown.at(-1);
    if (last === undefined) return;
    const isEdit = this.#parts.answers === "buttons" && last.key !== firstKey(last.key);
    await this.#parts.post({
      key: last.key,
      chat: card.chat,
      message: messageOf(card, last.page, this.#parts.answers),
      isCard: true,
      ...(isEdit ? { edits: firstKey(last.key) } : {}),
    });
  }

  async #take(tap: ChatTap): Promise<string> {
    const found = await findCard([...this.#cards.values()], tap, this.#parts);
    // People react to all kinds of messages; a button is always one of a question.
    const unknown = this.#parts.answers === "reactions" ? "" : unknownTap;
    if (!this.#parts.isOwner(tap.chat.id, tap.sender.id)) return unknown;
    if (found === null)
      return isMeantAsAnswer([...this.#cards.values()], tap, this.#parts) ? otherCopy : unknown;
    const { card } = found;
    const ruling = ruleOnTap(card, found.tap, this.#parts.time().now);
    switch (ruling.kind) {
      case "reply":
        return ruling.text;
      case "show":
        // A page that is on its way already is not asked for twice.
        if (card.shown.at(-1)?.page !== ruling.page || found.tap.at === card.shown.at(-1))
          await this.#show({ ...card, read: ruling.read }, ruling.page);
        return "";
      case "await-word":
        await this.#put({
          ...card,
          isTapped: ruling.isTapped,
          tappedOn: found.tap.at.key,
          read: ruling.read,
        });
        return ruling.text;
      case "decide":
        return this.#decide(card, { answer: ruling.answer, update: tap.id });
    }
  }

  async #takeWord({ id, chat, sender, text }: ChatMessage): Promise<boolean> {
    const { now } = this.#parts.time();
    if (!this.#parts.isOwner(chat.id, sender.id)) return false;
    const card = [...this.#cards.values()].findLast(
      ({ word, end, expiresAt, ...one }) =>
        word !== null &&
        one.chat === chat.id &&
        one.member === sender.id &&
        isTypedWord(text, word) &&
        (end === null ? expiresAt > now : end.at + wordLingers > now),
    );
    if (card === undefined) return false;
    const said = await this.#ruleOnWord(card, id);
    const key = `${this.#parts.service}:card-word:${id}`;
    await this.#parts.post({ key, chat: chat.id, message: { text: said, format: "plain" } });
    return true;
  }

  async #ruleOnWord(card: OpenCard, update: string): Promise<string> {
    if (card.end !== null) {
      const isSame = card.decision?.update === update && card.end.isHere;
      return isSame ? confirmationOf(card.end.kind) : alreadyEnded(card.end.kind);
    }
    if (card.isTapped) return this.#decide({ ...card, isWorded: true }, { answer: "yes", update });
    await this.#put({ ...card, isWorded: true });
    return this.#parts.answers === "buttons"
      ? "That is the word. Now tap Once."
      : "That is the word. Now react to the question with 👍.";
  }

  /** Writes a decision down and carries it out. */
  async #decide(card: OpenCard, decision: NonNullable<OpenCard["decision"]>): Promise<string> {
    const end = await this.#carryOut(await this.#put({ ...card, decision }));
    return end.isHere ? confirmationOf(end.kind) : alreadyEnded(end.kind);
  }

  async #carryOut(card: OpenCard): Promise<NonNullable<OpenCard["end"]>> {
    const { desk } = this.#parts;
    const answer = card.decision?.answer ?? "no";
    const counted = (await desk.endOf(card)) === null && (await desk.answer(card, answer));
    const kind = counted ? answer : await desk.endOf(card);
    if (kind === null)
      throw new Error(`The answer to the question of turn ${card.turn} could not be given yet.`);
    return this.#end(card, kind);
  }

  async #end(card: OpenCard, kind: QuestionEnd): Promise<NonNullable<OpenCard["end"]>> {
    const end = { kind, isHere: card.decision?.answer === kind, at: this.#parts.time().now };
    await this.#tellEnd(await this.#put({ ...card, end }));
    return end;
  }

  /** Puts the outcome into the place of the buttons. What the card showed is kept no longer. */
  async #tellEnd(card: OpenCard): Promise<void> {
    const { answers, post, service, time } = this.#parts;
    const last = card.shown.at(-1);
    if (last !== undefined && card.card !== null)
      await post({
        key: `${service}:card:${card.id}:end`,
        chat: card.chat,
        message: withOutcome(
          messageOf(card, last.page, answers),
          outcomeOf(card, (at) => formatTime(at, time())),
        ),
        edits: answers === "buttons" ? firstKey(last.key) : last.key,
      });
    await this.#put({ ...card, card: null, isTold: true });
  }

  async #endWhereEnded(turn: string): Promise<void> {
    for (const card of this.#open(turn)) {
      const kind = await this.#parts.desk.endOf(card);
      if (kind !== null) await this.#end(card, kind);
    }
  }

  /**
   * Gives the buttons of a card what they hold, just before they are sent: its hash is on the disk by then.
   */
  async #giveHandle(key: string, message: OutgoingMessage): Promise<OutgoingMessage> {
    const card = [...this.#cards.values()].find(({ shown }) => shown.some((one) => one.key === key));
    if (card === undefined || this.#parts.answers === "reactions") return message;
    const handle = newHandle();
    const { now } = this.#parts.time();
    const shown = card.shown.map((one) =>
      one.key === key
        ? { ...one, handles: [...one.handles, hashHandle(handle)].slice(-mostTries), at: now }
        : one,
    );
    await this.#put({ ...card, shown });
    return withHandles(message, handle);
  }
}

function isOf(card: OpenCard, { turn, expiresAt }: Pick<QuestionKey, "turn" | "expiresAt">): boolean {
  return card.turn === turn && card.expiresAt === expiresAt;
}

function numberOf({ shown }: OpenCard): number {
  return Number(shown.at(-1)?.key.split(":").at(-1));
}
