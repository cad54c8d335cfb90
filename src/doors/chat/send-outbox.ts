import type { KeptOutgoing } from "../../memory/state/chat-outbox.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import type { ChatAddresses } from "./chat-addresses.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFailure, ChatService, OutgoingMessage, SendResult } from "./chat-service.ts";
import { pauseAfter } from "./pause-after.ts";
import { WakingLoop } from "./waking-loop.ts";

/** What is kept of a message on its way. */
export type OutgoingBody = {
  readonly message: OutgoingMessage;
  /** The key of the message that it replaces. */
  readonly edits?: string;
  /** The turn whose answer it is, or its last part. */
  readonly turn?: string;
  /** It is sent to a chat that nobody linked. */
  readonly isForAnybody?: true;
  /** Its buttons get what they hold when it is sent. */
  readonly isCard?: true;
};

/** Gives the buttons of a question what they hold. */
type Dress = (key: string, message: OutgoingMessage) => Promise<OutgoingMessage>;

type SenderParts = {
  readonly cancel: AbortSignal;
  readonly dress: Dress;
  readonly barred: ChatAddresses["barred"];
};

/** Sends what waits in the outbox, one message after the other in each chat. */
export class OutboxSender {
  readonly #kernel: ChatKernel;
  readonly #service: ChatService;
  readonly #cancel: AbortSignal;
  readonly #dress: Dress;
  readonly #barred: ChatAddresses["barred"];
  readonly #loop: WakingLoop;
  /** Failures in a row, by chat. */
  readonly #failures = new Map<string, number>();
  /** The chats to which nothing is sent before their pause is over. */
  readonly #resting = new Set<string>();
  /** Why something is held back, as it was told, by chat. */
  readonly #told = new Map<string, string>();
  /** Sends of unknown outcome, by key, where nobody can look whether they were done. */
  readonly #unknown = new Map<string, number>();
  /** What was sent and is not noted on disk yet. */
  readonly #sent = new Map<string, SendResult & { readonly ok: true }>();
  readonly #settled = new Map<string, (() => void)[]>();

  constructor(kernel: ChatKernel, service: ChatService, { cancel, dress, barred }: SenderParts) {
    this.#dress = dress;
    this.#barred = barred;
    this.#kernel = kernel;
    this.#service = service;
    this.#cancel = cancel;
    this.#loop = new WakingLoop({
      work: () => this.#sendAll(),
      failed: (words) =>
        kernel.report(`What waits for ${service.title} could not be sent, and is tried again: ${words}`),
      wait: kernel.wait,
      cancel,
    });
  }

  /** Looks for what waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when nothing is being sent. */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  /** Resolves once a key was sent or never will be, or when it is cancelled. */
  async settled(key: string, cancel: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settled.set(key, [...(this.#settled.get(key) ?? []), resolve]);
    cancel.addEventListener("abort", () => resolve());
    const state = await this.#kernel.store.outbox.find(this.#service.name, key);
    if (cancel.aborted || state === null || state.state === "sent" || state.state === "dead") resolve();
    this.wake();
    await promise;
    this.#settled.delete(key);
  }

  /** The owner did something: what failed may work now. */
  tryAgain(): void {
    this.#resting.clear();
    this.wake();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const heads = await this.#kernel.store.outbox.next(this.#service.name);
      const due = heads.filter(({ chat }) => !this.#resting.has(chat));
      if (due.length === 0 || this.#cancel.aborted) return;
      for (const one of due) if (!this.#cancel.aborted) await this.#sendOne(one);
    }
  }

  async #sendOne(one: KeptOutgoing): Promise<void> {
    const { outbox } = this.#kernel.store;
    const { name } = this.#service;
    const kept = outgoingBodyOf(one.body);
    const barred = kept.isForAnybody === true ? null : this.#barred(one.chat, kept.message.onlyFor);
    if (barred !== null) return this.#holdBack(one, kept, barred);
    const body = await this.#dressed(one.key, kept);
    const isCut = one.state === "sending" && body.edits === undefined;
    const found = this.#sent.get(one.key) ?? (isCut ? await this.#findSent(one, body) : null);
    const isAgain = isCut && this.#service.findSent === undefined;
    const result = found ?? (await this.#try(one, isAgain ? markedAsAgain(body) : body));
    if (this.#cancel.aborted && !result.ok) return;
    if (result.ok) {
      // A disk that fails now must not make it be sent again.
      this.#sent.set(one.key, result);
      this.#failures.delete(one.chat);
      this.#told.delete(one.chat);
      this.#unknown.delete(one.key);
      await noteMessage(this.#kernel, this.#service, { chat: one.chat, message: result.message });
      await outbox.sent(name, one.key, result.message);
      this.#sent.delete(one.key);
      if (body.turn !== undefined) await this.#kernel.markDelivered(body.turn);
      this.#settle(one.key);
      return;
    }
    if (result.code === "try-later" && result.movedTo !== undefined) {
      await outbox.putBack(name, one.key);
      return this.#kernel.moveChat(one.chat, result.movedTo);
    }
    const failures = (this.#failures.get(one.chat) ?? 0) + 1;
    this.#failures.set(one.chat, failures);
    if ((result.code === "refused" && found === null) || failures > mostTries)
      return this.#giveUp(one, body, result.reason);
    const unknown = this.#countUnknown(one.key, body, result);
    if (unknown === mostUnknown)
      return this.#giveUp(one, body, `${result.reason}. It may have come all the same, ${unknown} times`);
    // As long as nobody could look whether it was sent before, it may have been.
    if (found === null && result.code !== "unknown-outcome") await outbox.putBack(name, one.key);
    await this.#tellWhy(one.chat, result, failures);
    this.#rest(one.chat, result, unknown > 1 ? patientFailures : failures);
  }

  /** How often nobody knew what became of a send, nor can look. An edit does the same each time. */
  #countUnknown(key: string, { edits }: OutgoingBody, { code }: ChatFailure): number {
    if (code !== "unknown-outcome" || edits !== undefined || this.#service.findSent !== undefined) return 0;
    const count = (this.#unknown.get(key) ?? 0) + 1;
    this.#unknown.set(key, count);
    return count;
  }

  /**
   * Says why something waits, once as long as that stays the same; what the owner has to do is told to them.
   */
  async #tellWhy(chat: string, failure: ChatFailure, failures: number): Promise<void> {
    const { toDo, after = 0 } = failure.code === "try-later" ? failure : {};
    const isForOwner = toDo !== undefined || (after ?? 0) >= longWait;
    if (!isForOwner && failures < toldFailures) return;
    const { title } = this.#service;
    const words = toDo ?? `What waits for the chat ${chat} of ${title} is held back: ${failure.reason}`;
    if (this.#told.get(chat) === words) return;
    this.#told.set(chat, words);
    if (isForOwner) await this.#kernel.tellOwner(words);
    else this.#kernel.report(words);
  }

  /** What the owner linked no longer is given up. Where the links cannot be read, nobody knows: it waits. */
  async #holdBack(one: KeptOutgoing, body: OutgoingBody, barred: ChatFailure): Promise<void> {
    if (barred.code === "refused") return this.#giveUp(one, body, barred.reason);
    const failures = (this.#failures.get(one.chat) ?? 0) + 1;
    this.#failures.set(one.chat, failures);
    await this.#tellWhy(one.chat, barred, toldFailures);
    this.#rest(one.chat, barred, failures);
  }

  async #dressed(key: string, body: OutgoingBody): Promise<OutgoingBody> {
    return body.isCard === true ? { ...body, message: await this.#dress(key, body.message) } : body;
  }

  async #try(one: KeptOutgoing, body: OutgoingBody): Promise<SendResult> {
    const { outbox } = this.#kernel.store;
    const { name } = this.#service;
    if (body.edits !== undefined) return this.#edit(one.chat, body, body.edits);
    await outbox.begin(name, one.key, await this.#lastKnown(one.chat));
    return this.#service.send(one.chat, body.message, this.#cancel);
  }

  async #edit(chat: string, { message }: OutgoingBody, edits: string): Promise<SendResult> {
    const edited = await this.#kernel.store.outbox.find(this.#service.name, edits);
    if (edited?.state !== "sent" || edited.message === null)
      return { ok: false, code: "refused", reason: "the message that it changes is not there" };
    const done = await this.#service.edit({ chat, message: edited.message }, message, this.#cancel);
    return done.ok ? { ok: true, message: edited.message } : done;
  }

  /** Whether a send of unknown outcome was done; null where it was not, or where nobody can tell. */
  async #findSent(one: KeptOutgoing, { message }: OutgoingBody): Promise<SendResult | null> {
    const { findSent, counterOf } = this.#service;
    const [, counter, after] = /^(.*) (\S+)$/.exec(one.after ?? "") ?? [];
    // What was known by another count, such as another bot's, says nothing of this one.
    if (findSent === undefined || after === undefined || counter !== counterOf(one.chat)) return null;
    const found = await findSent(one.chat, { after, message }, this.#cancel);
    if (!found.ok) return found;
    return found.message === null ? null : { ok: true, message: found.message };
  }

  /** The last message that is known where the messages of a chat are counted, of whoever, with that count. */
  async #lastKnown(chat: string): Promise<string | null> {
    const { name, counterOf } = this.#service;
    const counter = counterOf(chat);
    const last = await this.#kernel.store.marks.get(name, lastMark(counter));
    return typeof last === "string" ? `${counter} ${last}` : null;
  }

  #rest(chat: string, failure: ChatFailure, failures: number): void {
    this.#resting.add(chat);
    void this.#kernel.wait(pauseAfter(failure, failures), this.#cancel).then(() => {
      this.#resting.delete(chat);
      if (!this.#cancel.aborted) this.wake();
    });
  }

  /**
   * What cannot be sent is told on the machine before it is forgotten here: news with its words, which stand
   * nowhere else. A change of a message that is gone is not.
   */
  async #giveUp(one: KeptOutgoing, body: OutgoingBody, reason: string): Promise<void> {
    const { title, name } = this.#service;
    this.#failures.delete(one.chat);
    this.#unknown.delete(one.key);
    if (body.edits === undefined)
      await this.#kernel.tellOwner(describeUnsent(body, { title, chat: one.chat, reason }));
    await this.#kernel.store.outbox.dead(name, one.key, reason);
    this.#settle(one.key);
  }

  #settle(key: string): void {
    for (const resolve of this.#settled.get(key) ?? []) resolve();
  }
}

/** Tries in a row after which a message is given up: more than a day. */
const mostTries = 2000;
/** Sends of unknown outcome after which a message is given up: each may be a copy. */
const mostUnknown = 3;
/** Failures whose pause is the longest. */
const patientFailures = 10;
/** Failures in a row after which it is told that something waits, and milliseconds of a pause of weight. */
const toldFailures = 6;
const longWait = 600_000;

function describeUnsent(
  { message, turn, isForAnybody, isCard }: OutgoingBody,
  { title, chat, reason }: { readonly title: string; readonly chat: string; readonly reason: string },
): string {
  if (turn !== undefined)
    return `An answer to the chat ${chat} could not be sent by ${title}: ${reason}. passepartout sessions lists the sessions, in which it can be read.`;
  if (isForAnybody === true || isCard === true)
    return `A message to the chat ${chat} could not be sent by ${title}: ${reason}. passepartout gateway list shows the chats.`;
  // What was told here before and is tried once more says it once.
  const words = message.text.replace(/\n\n\(This could not be sent to [^\n]*\)$/, "");
  return `${words}\n\n(This could not be sent to the chat ${chat} by ${title}: ${reason}.)`;
}

const lastMark = (counter: string): string => `last:${counter}`;

/** Notes a message that is known, of whoever. */
export async function noteMessage(
  { store }: Pick<ChatKernel, "store">,
  { name, newer, counterOf }: Pick<ChatService, "name" | "newer" | "counterOf">,
  { chat, message }: { readonly chat: string; readonly message: string },
): Promise<void> {
  const mark = lastMark(counterOf(chat));
  const last = await store.marks.get(name, mark);
  if (typeof last !== "string" || newer(last, message) !== last) await store.marks.set(name, mark, message);
}

/** A message that may have come before, where nobody can look: it says so. */
function markedAsAgain(body: OutgoingBody): OutgoingBody {
  const { message } = body;
  return { ...body, message: { ...message, text: `${message.text}\n\n${sentAgain}` } };
}

const sentAgain = "(Sent again, since it is not known whether it came: you may have it twice.)";

/** Reads what this program kept of a message. */
function outgoingBodyOf(kept: Json): OutgoingBody {
  if (!isJsonObject(kept) || !isJsonObject(kept["message"]))
    throw new TypeError("the outbox holds no message");
  return kept as unknown as OutgoingBody;
}
