import type { ChatInbox, KeptUpdate } from "../../memory/state/chat-inbox.ts";
import { describeError } from "../../text/describe-error.ts";
import { isJsonObject } from "../../text/json.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatMessage, ChatService, ChatUpdate } from "./chat-service.ts";
import { type Handled, type HandleParts, handleUpdate } from "./handle-update.ts";
import { pauseAfterFailures } from "./pause-after.ts";
import { outgoingOf, type PostedMessage } from "./question-hook.ts";
import { FileTaker } from "./take-files.ts";

type QueueParts = {
  readonly kernel: ChatKernel;
  readonly service: ChatService;
  readonly handle: Omit<HandleParts, "files">;
  /** Called for a turn that an update began. */
  readonly begun: (turn: string) => void;
  /** Called after each update that is done with. */
  readonly handled: () => void;
  /** Called when what waited may be handled. */
  readonly wake: () => void;
  readonly cancel: AbortSignal;
};

/** Updates that are read at a time. */
const batch = 50;
/** Tries at one update before it is set aside and told: some minutes. */
const mostTries = 9;

/**
 * Handles what came, in its order. Words that cannot be handled yet hold up the words behind them in their
 * chat, and nothing else.
 */
export class UpdateQueue {
  readonly #parts: QueueParts;
  readonly #files: FileTaker;
  /** Failures in a row, by update. */
  readonly #tries = new Map<string, number>();
  /** The updates that are not tried before their pause is over. */
  readonly #resting = new Set<string>();
  /** Why something waits, as it was told. */
  #told: string | null = null;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    const { kernel, service, cancel, wake } = parts;
    this.#files = new FileTaker({ kernel, service, cancel, taken: wake });
  }

  /** Handles all that can be handled now, once. */
  async handleAll(): Promise<void> {
    const { inbox } = this.#parts.kernel.store;
    const { name } = this.#parts.service;
    /** The words that wait, by chat. */
    const waiting = new Map<string, KeptUpdate[]>();
    for (let after = 0; ; ) {
      const updates = await inbox.unhandled(name, { after, most: batch });
      for (const kept of updates) {
        if (this.#parts.cancel.aborted || !(await this.#handleOne(kept, waiting))) return;
        after = kept.number;
      }
      if (updates.length === 0) return;
    }
  }

  /** Resolves when no file is being taken. */
  idle(): Promise<void> {
    return this.#files.idle();
  }

  /** False where the process is closing. */
  async #handleOne(kept: KeptUpdate, waiting: Map<string, KeptUpdate[]>): Promise<boolean> {
    try {
      return await this.#tryOne(kept, waiting);
    } catch (error) {
      await this.#fail(kept, error);
      return true;
    }
  }

  async #tryOne(kept: KeptUpdate, waiting: Map<string, KeptUpdate[]>): Promise<boolean> {
    const update = updateOf(kept);
    const chat = update.kind === "message" ? update.chat.id : "";
    const before = waiting.get(chat) ?? [];
    const wait = (): void => {
      if (update.kind === "message") waiting.set(chat, [...before, kept]);
    };
    if (this.#resting.has(kept.id)) {
      wait();
      return true;
    }
    // Also where it fails.
    wait();
    const parts = { ...this.#parts.handle, files: this.#files };
    const handled = await handleUpdate(parts, update, before.length > 0);
    if (handled.kind === "later") return false;
    if (handled.kind === "waits") {
      this.#tellWaiting(handled.why ?? null);
      return true;
    }
    this.#told = null;
    await this.#note(kept, handled, before);
    if (handled.kind === "ended" && handled.takesBack === true) waiting.delete(chat);
    else waiting.set(chat, before);
    return true;
  }

  /** Told once as long as it stays the same. */
  #tellWaiting(why: string | null): void {
    if (why === null || why === this.#told) return;
    this.#told = why;
    this.#parts.kernel.report(`What came by ${this.#parts.service.title} waits: ${why}`);
  }

  async #note(
    kept: KeptUpdate,
    handled: Extract<Handled, { readonly kind: "begun" | "ended" | "unknown" }>,
    before: readonly KeptUpdate[],
  ): Promise<void> {
    const { kernel, service, begun, handled: done } = this.#parts;
    const { inbox } = kernel.store;
    switch (handled.kind) {
      case "unknown":
        await inbox.setAside(service.name, kept.id);
        break;
      case "begun":
        await inbox.begin(service.name, kept.id, handled.turn);
        begun(handled.turn);
        break;
      case "ended": {
        const taken = handled.takesBack === true ? before : [];
        const outgoing = [...handled.outgoing, ...takenBack(handled.outgoing, taken.length)];
        await this.#end(inbox, kept, { taken, outgoing });
      }
    }
    this.#forget(kept.id);
    done();
  }

  async #end(
    inbox: ChatInbox,
    kept: KeptUpdate,
    {
      taken,
      outgoing,
    }: { readonly taken: readonly KeptUpdate[]; readonly outgoing: readonly PostedMessage[] },
  ): Promise<void> {
    const { name } = this.#parts.service;
    for (const { id } of taken) {
      await inbox.end(name, id, []);
      this.#forget(id);
    }
    await inbox.end(name, kept.id, outgoing.map(outgoingOf));
  }

  #forget(id: string): void {
    this.#tries.delete(id);
    this.#files.forget(id);
  }

  /** What fails is tried again by itself, and holds up no other chat; after some minutes it is set aside. */
  async #fail(kept: KeptUpdate, error: unknown): Promise<void> {
    const { kernel, service, cancel, wake } = this.#parts;
    if (cancel.aborted) return;
    const tries = (this.#tries.get(kept.id) ?? 0) + 1;
    this.#tries.set(kept.id, tries);
    const words = describeError(error);
    if (tries === 1)
      kernel.report(`What came by ${service.title} could not be handled, and is tried again: ${words}`);
    if (tries >= mostTries) {
      await kernel.store.inbox.setAside(service.name, kept.id);
      this.#forget(kept.id);
      wake();
      await kernel.tellOwner(
        `A message that came by ${service.title} could not be handled: ${words}. It is kept aside. Say it again at the terminal.`,
      );
      return;
    }
    this.#resting.add(kept.id);
    void kernel.wait(pauseAfterFailures(tries), cancel).then(() => {
      this.#resting.delete(kept.id);
      if (!cancel.aborted) wake();
    });
  }
}

/** What is said of words that were taken back, where and to whom the command was answered. */
function takenBack(answers: readonly PostedMessage[], count: number): readonly PostedMessage[] {
  const last = answers.at(-1);
  if (last === undefined || count === 0) return [];
  const text =
    count === 1
      ? "A message that waited for a file was taken back, and did nothing. Send it again if you want it."
      : `${count} messages that waited for a file were taken back, and did nothing. Send them again if you want them.`;
  return [{ ...last, key: `${last.key}:back`, message: { ...last.message, text, format: "plain" } }];
}

/** Reads what this program kept of an update. */
function updateOf({ id, body }: Pick<KeptUpdate, "id" | "body">): ChatUpdate {
  if (!isJsonObject(body)) throw new TypeError(`the update ${id} is no object`);
  return body as unknown as ChatUpdate;
}

/** Reads what was kept of a message that began a turn. */
export function messageOf(kept: KeptUpdate): ChatMessage {
  const update = updateOf(kept);
  if (update.kind !== "message") throw new TypeError(`the update ${kept.id} began a turn and is no message`);
  return update;
}
