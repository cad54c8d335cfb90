import type { KeptUpdate } from "../../memory/state/chat-inbox.ts";
import type { ChatOutbox } from "../../memory/state/chat-outbox.ts";
import type { Delivery } from "../../signal/actuator.ts";
import { isJsonObject } from "../../signal/json.ts";
import { pushAll } from "../../signal/lists.ts";
import { isEnd, type LoopEvent } from "../../signal/loop-event.ts";
import { describeError } from "../../signal/text/describe-error.ts";
import { type ChatAddresses, openChatAddresses } from "./chat-addresses.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatMessage, ChatService, ChatUpdate } from "./chat-service.ts";
import { openDoorHealth } from "./door-health.ts";
import { endOfTurn, type HandleParts, handleUpdate } from "./handle-update.ts";
import {
  type ChatQuestions,
  type OpenChatQuestions,
  outgoingOf,
  type PostedMessage,
  type QuestionParts,
} from "./question-hook.ts";
import { receiveUpdates } from "./receive-updates.ts";
import { OutboxSender } from "./send-outbox.ts";
import { DraftStreams } from "./stream-drafts.ts";
import { postToOwner, type TellParts, tellOwner } from "./tell-owner.ts";
import { WakingLoop } from "./waking-loop.ts";

/** A door to one chat service, while it is open. */
export type ChatDoor = AsyncDisposable & {
  /** Looks whether the owner changed something: links, the vault. */
  readonly look: () => void;
  /** Tells the owner something in the chat of a session, or else in their private chat. */
  readonly tell: (session: string, text: string) => Promise<Delivery>;
  /**
   * Puts words for the owner on their way: they are on disk when this resolves. False where no chat is
   * linked.
   */
  readonly post: (text: string) => Promise<boolean>;
  /** Resolves when all that came so far is handled, and what can be sent is. */
  readonly settled: () => Promise<void>;
};

/** Opens a door: it receives, handles and sends until it is closed. */
export function openChatDoor(
  kernel: ChatKernel,
  service: ChatService,
  openQuestions: OpenChatQuestions | null,
): ChatDoor {
  return new OpenDoor(kernel, service, openQuestions);
}

/** Updates that are handled before it is looked for more. */
const batch = 50;
/** Tries at one update before it is set aside and told. */
const mostTries = 5;

class OpenDoor implements ChatDoor {
  readonly #kernel: ChatKernel;
  readonly #service: ChatService;
  readonly #closing = new AbortController();
  readonly #sender: OutboxSender;
  readonly #addresses: ChatAddresses;
  readonly #drafts: DraftStreams;
  readonly #inbox: WakingLoop;
  readonly #questions: ChatQuestions | null;
  readonly #parts: HandleParts;
  readonly #receiving: Promise<void>;
  readonly #unsubscribe: () => void;
  /** The turns whose end waits to be told. */
  readonly #ended = new Set<string>();
  readonly #asked: LoopEvent[] = [];
  /** What of it failed, until the next look. */
  readonly #untold: LoopEvent[] = [];
  readonly #tries = new Map<string, number>();
  #isTakenUp = false;

  constructor(kernel: ChatKernel, service: ChatService, openQuestions: OpenChatQuestions | null) {
    this.#kernel = kernel;
    this.#service = service;
    const { signal } = this.#closing;
    this.#addresses = openChatAddresses(kernel, service);
    this.#sender = new OutboxSender(kernel, service, {
      cancel: signal,
      barred: this.#addresses.barred,
      dress: async (key, message) => (await this.#questions?.dress(key, message)) ?? message,
    });
    this.#questions = openQuestions?.(this.#questionParts()) ?? null;
    this.#parts = {
      kernel,
      service,
      questions: this.#questions,
      ...this.#addresses,
      isDraftShown: (draft) => this.#drafts.isShown(draft),
      cancel: signal,
    };
    this.#drafts = new DraftStreams({
      kernel,
      service,
      chatOfTurn: (turn) => this.#chatOfTurn(turn),
      isLinked: (chat) => this.#addresses.ownerIn(chat) !== null,
      cancel: signal,
    });
    this.#inbox = new WakingLoop(
      () => this.#work(),
      (error) => kernel.report(`What came by ${service.title} could not be handled: ${describeError(error)}`),
    );
    this.#unsubscribe = kernel.subscribe((event) => this.#observe(event));
    this.look();
    this.#receiving = this.#receive();
  }

  look = (): void => {
    this.#sender.tryAgain();
    pushAll(this.#asked, this.#untold.splice(0));
    this.#inbox.wake();
  };

  tell(session: string, text: string): Promise<Delivery> {
    return tellOwner(this.#tellParts(), { session, text }, this.#closing.signal);
  }

  async post(text: string): Promise<boolean> {
    const posted = await postToOwner(this.#tellParts(), { session: "", text });
    this.#sender.wake();
    return posted !== null;
  }

  #tellParts(): TellParts {
    return { kernel: this.#kernel, service: this.#service, addresses: this.#addresses, sender: this.#sender };
  }

  async settled(): Promise<void> {
    await this.#inbox.idle();
    await this.#sender.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#unsubscribe();
    await this.#receiving;
    await this.settled();
  }

  #receive(): Promise<void> {
    const health = openDoorHealth(this.#kernel, this.#service);
    const parts = { kernel: this.#kernel, service: this.#service, health, kept: () => this.#inbox.wake() };
    return receiveUpdates(parts, this.#closing.signal);
  }

  /** Takes up what a former process left. */
  async #takeUp(): Promise<void> {
    if (this.#isTakenUp) return;
    for (const { turn } of await this.#kernel.store.inbox.begun(this.#service.name))
      if (turn !== null) this.#ended.add(turn);
    for (const question of this.#questions === null ? [] : await this.#kernel.openQuestions()) {
      if (await this.#questions?.knows(question)) continue;
      const status = await this.#kernel.turnStatus(question.turn);
      if (status?.type === "approval-required") this.#asked.push(status);
    }
    this.#isTakenUp = true;
  }

  #observe(event: LoopEvent): void {
    this.#drafts.observe(event);
    if (event.type === "approval-required" || event.type === "thinking" || isEnd(event)) {
      if (this.#questions !== null) this.#asked.push(event);
      if (isEnd(event)) this.#ended.add(event.turn);
      this.#inbox.wake();
    }
  }

  async #work(): Promise<void> {
    await this.#takeUp();
    for (let isMore = true; isMore && !this.#closing.signal.aborted; ) {
      await this.#tellQuestions();
      await this.#tellEnds();
      isMore = await this.#handleNext();
    }
    this.#sender.wake();
  }

  async #tellQuestions(): Promise<void> {
    for (const event of this.#asked.splice(0)) {
      try {
        if (event.type === "approval-required") await this.#questions?.asked(event);
        else await this.#questions?.over(event.turn);
      } catch (error) {
        this.#untold.push(event);
        const { title } = this.#service;
        this.#kernel.report(
          `A question is tried again in ${title} at the next beat: ${describeError(error)}`,
        );
      }
    }
  }

  /** Sends the answers of turns that have ended. */
  async #tellEnds(): Promise<void> {
    const { store } = this.#kernel;
    const { name } = this.#service;
    for (const turn of [...this.#ended]) {
      const update = await store.inbox.ofTurn(name, turn);
      const outgoing = update === null ? null : await endOfTurn(this.#parts, messageOf(update), turn);
      if (outgoing !== null) await this.#drafts.ended(turn);
      if (update !== null && outgoing !== null) await this.#end(update.id, outgoing);
      this.#ended.delete(turn);
    }
  }

  /** The private chat in which a turn was begun. */
  async #chatOfTurn(turn: string): Promise<string | null> {
    const update = await this.#kernel.store.inbox.ofTurn(this.#service.name, turn);
    const chat = update === null ? null : messageOf(update).chat;
    return chat?.kind === "private" ? chat.id : null;
  }

  /** False where nothing is left to handle now. */
  async #handleNext(): Promise<boolean> {
    const { inbox } = this.#kernel.store;
    const updates = await inbox.unhandled(this.#service.name, batch);
    for (const kept of updates) {
      if (this.#closing.signal.aborted || !(await this.#handleOne(kept))) return false;
      this.#sender.wake();
    }
    return updates.length > 0;
  }

  /** False where it has to wait. */
  async #handleOne(kept: KeptUpdate): Promise<boolean> {
    const { inbox } = this.#kernel.store;
    const { name } = this.#service;
    const handled = await this.#tryToHandle(kept);
    switch (handled.kind) {
      case "later":
        return false;
      case "unknown":
        await inbox.setAside(name, kept.id);
        return true;
      case "begun":
        await inbox.begin(name, kept.id, handled.turn);
        this.#ended.add(handled.turn);
        return true;
      case "ended":
        await this.#end(kept.id, handled.outgoing);
        return true;
    }
  }

  /** An update that fails again and again must not hold up those behind it. */
  async #tryToHandle(kept: KeptUpdate): ReturnType<typeof handleUpdate> {
    try {
      const handled = await handleUpdate(this.#parts, updateOf(kept));
      this.#tries.delete(kept.id);
      return handled;
    } catch (error) {
      const tries = (this.#tries.get(kept.id) ?? 0) + 1;
      this.#tries.set(kept.id, tries);
      if (tries < mostTries) throw error;
      this.#tries.delete(kept.id);
      await this.#kernel.tellOwner(
        `A message that came by ${this.#service.title} could not be handled: ${describeError(error)}. It is kept aside. Say it again at the terminal.`,
      );
      return { kind: "unknown" };
    }
  }

  #end(id: string, outgoing: readonly (PostedMessage & { readonly turn?: string })[]): Promise<void> {
    return this.#kernel.store.inbox.end(this.#service.name, id, outgoing.map(outgoingOf));
  }

  #questionParts(): QuestionParts {
    const { store } = this.#kernel;
    const { name } = this.#service;
    return {
      ...this.#addresses,
      kernel: this.#kernel,
      service: this.#service,
      post: async (message) => {
        await store.outbox.put(name, [outgoingOf(message)]);
        this.#sender.wake();
      },
      sentAs: async (key) => sentMessage(await store.outbox.find(name, key)),
    };
  }
}

function sentMessage(state: Awaited<ReturnType<ChatOutbox["find"]>>): string | null {
  return state?.state === "sent" ? state.message : null;
}

function updateOf({ id, body }: KeptUpdate): ChatUpdate {
  if (!isJsonObject(body)) throw new TypeError(`the update ${id} is no object`);
  return body as unknown as ChatUpdate;
}

function messageOf(kept: KeptUpdate): ChatMessage {
  const update = updateOf(kept);
  if (update.kind !== "message") throw new TypeError(`the update ${kept.id} began a turn and is no message`);
  return update;
}
