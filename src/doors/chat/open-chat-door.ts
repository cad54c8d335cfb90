import type { ChatOutbox } from "../../memory/state/chat-outbox.ts";
import type { Delivery } from "../../signal/actuator.ts";
import { isEnd, type LoopEvent } from "../../signal/loop-event.ts";
import { describeError } from "../../text/describe-error.ts";
import { pushAll } from "../../text/lists.ts";
import { type ChatAddresses, openChatAddresses } from "./chat-addresses.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatService } from "./chat-service.ts";
import { openDoorHealth } from "./door-health.ts";
import { endOfTurn } from "./handle-update.ts";
import { pauseAfterFailures } from "./pause-after.ts";
import {
  type ChatQuestions,
  type OpenChatQuestions,
  outgoingOf,
  type QuestionParts,
} from "./question-hook.ts";
import { receiveUpdates } from "./receive-updates.ts";
import { OutboxSender } from "./send-outbox.ts";
import { DraftStreams } from "./stream-drafts.ts";
import { postToOwner, type TellParts, tellOwner } from "./tell-owner.ts";
import { messageOf, UpdateQueue } from "./update-queue.ts";
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

class OpenDoor implements ChatDoor {
  readonly #kernel: ChatKernel;
  readonly #service: ChatService;
  readonly #closing = new AbortController();
  readonly #sender: OutboxSender;
  readonly #addresses: ChatAddresses;
  readonly #drafts: DraftStreams;
  readonly #inbox: WakingLoop;
  readonly #questions: ChatQuestions | null;
  readonly #queue: UpdateQueue;
  readonly #receiving: Promise<void>;
  readonly #unsubscribe: () => void;
  /** The turns whose end waits to be told. */
  readonly #ended = new Set<string>();
  readonly #asked: LoopEvent[] = [];
  /** What of it failed, until its pause is over. */
  readonly #untold: LoopEvent[] = [];
  #failures = 0;
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
    this.#drafts = new DraftStreams({
      kernel,
      service,
      chatOfTurn: (turn) => this.#chatOfTurn(turn),
      isLinked: (chat) => this.#addresses.ownerIn(chat) !== null,
      cancel: signal,
    });
    this.#queue = this.#openQueue();
    this.#inbox = new WakingLoop({
      work: () => this.#work(),
      failed: (words) =>
        kernel.report(`What came by ${service.title} could not be handled, and is tried again: ${words}`),
      wait: kernel.wait,
      cancel: signal,
    });
    this.#unsubscribe = kernel.subscribe((event) => this.#observe(event));
    this.look();
    this.#receiving = this.#receive();
  }

  look = (): void => {
    this.#sender.tryAgain();
    this.#tellAgain();
  };

  #tellAgain(): void {
    pushAll(this.#asked, this.#untold.splice(0));
    this.#inbox.wake();
  }

  #openQueue(): UpdateQueue {
    const { signal: cancel } = this.#closing;
    const parts = { kernel: this.#kernel, service: this.#service, cancel };
    const isDraftShown = (draft: string): boolean => this.#drafts.isShown(draft);
    return new UpdateQueue({
      ...parts,
      handle: { ...parts, ...this.#addresses, questions: this.#questions, isDraftShown },
      begun: (turn) => void this.#ended.add(turn),
      handled: () => this.#sender.wake(),
      wake: () => this.#inbox.wake(),
    });
  }

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
    await this.#queue.idle();
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
    const tell = async (text: string): Promise<void> => {
      if (!(await this.post(text))) await this.#kernel.tellOwner(text);
    };
    const kept = (): void => this.#inbox.wake();
    return receiveUpdates(
      { kernel: this.#kernel, service: this.#service, health, kept, tell, ...this.#addresses },
      this.#closing.signal,
    );
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
    await this.#tellQuestions();
    await this.#tellEnds();
    await this.#queue.handleAll();
    await this.#tellEnds();
    this.#sender.wake();
  }

  async #tellQuestions(): Promise<void> {
    for (const event of this.#asked.splice(0)) {
      try {
        if (event.type === "approval-required") await this.#questions?.asked(event);
        else await this.#questions?.over(event.turn);
        this.#failures = 0;
      } catch (error) {
        this.#untold.push(event);
        this.#failures += 1;
        const { title } = this.#service;
        this.#kernel.report(`A question is tried again in ${title} soon: ${describeError(error)}`);
        const { signal } = this.#closing;
        void this.#kernel.wait(pauseAfterFailures(this.#failures), signal).then(() => {
          if (!signal.aborted) this.#tellAgain();
        });
      }
    }
  }

  /** Sends the answers of turns that have ended. */
  async #tellEnds(): Promise<void> {
    const { store } = this.#kernel;
    const { name } = this.#service;
    for (const turn of [...this.#ended]) {
      const update = await store.inbox.ofTurn(name, turn);
      const outgoing = update === null ? null : await endOfTurn(this.#answerParts(), messageOf(update), turn);
      if (outgoing !== null) await this.#drafts.ended(turn);
      if (update !== null && outgoing !== null)
        await store.inbox.end(name, update.id, outgoing.map(outgoingOf));
      this.#ended.delete(turn);
    }
  }

  /** The private chat in which a turn was begun. */
  async #chatOfTurn(turn: string): Promise<string | null> {
    const update = await this.#kernel.store.inbox.ofTurn(this.#service.name, turn);
    const chat = update === null ? null : messageOf(update).chat;
    return chat?.kind === "private" ? chat.id : null;
  }

  #answerParts() {
    return { kernel: this.#kernel, service: this.#service, ownerChat: this.#addresses.ownerChat };
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
