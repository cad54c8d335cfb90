import { describeError } from "../../text/describe-error.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFailure, ChatService } from "./chat-service.ts";
import { type DoorStatus, describeForgetting, doorStatusOf, statusMark } from "./door-status.ts";

/** Keeps how a door stands: its last successful request, and what stands in its way. */
export type DoorHealth = {
  readonly received: () => Promise<void>;
  /** Its reason is kept, and told once as long as it stays the same. */
  readonly failed: (failure: ChatFailure) => Promise<void>;
};

type HealthParts = Pick<ChatKernel, "store" | "clock" | "report" | "tellOwner">;

/** Milliseconds between two notes of the same status. */
const noteEvery = 60_000;
/**
 * Milliseconds without another program that receives too, after which there is none any more: they take
 * turns.
 */
const calm = 300_000;

/** Begins with what a former process kept. */
export function openDoorHealth(
  kernel: HealthParts,
  service: Pick<ChatService, "name" | "title" | "program">,
): DoorHealth {
  return new OpenHealth(kernel, service);
}

class OpenHealth implements DoorHealth {
  readonly #kernel: HealthParts;
  readonly #service: Pick<ChatService, "name" | "title" | "program">;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** Null before it was read. */
  #status: DoorStatus | null = null;
  /** What this process told. */
  #told: string | null = null;
  #isWarned = false;
  /** When another program last received too, and how the owner was told of it. */
  #conflictAt = Number.NEGATIVE_INFINITY;
  #toldConflict: string | null = null;

  constructor(kernel: HealthParts, service: Pick<ChatService, "name" | "title" | "program">) {
    this.#kernel = kernel;
    this.#service = service;
  }

  async received(): Promise<void> {
    const { clock, report } = this.#kernel;
    if (Math.abs(clock() - this.#conflictAt) < calm) return;
    this.#toldConflict = null;
    const before = this.#status;
    const isNews = before === null || this.#told !== null || Math.abs(clock() - this.#notedAt) >= noteEvery;
    if (this.#told !== null) report(`${this.#service.title} can be reached again.`);
    this.#told = null;
    if (!isNews) return;
    const program = this.#service.program?.() ?? null;
    await this.#note({ receivedAt: clock(), problem: null, program });
  }

  async failed(failure: ChatFailure): Promise<void> {
    const { title, name } = this.#service;
    const { reason } = failure;
    const isConflict = failure.code === "try-later" && failure.isConflict === true;
    if (isConflict) this.#conflictAt = this.#kernel.clock();
    const isNews = reason !== this.#told;
    this.#told = reason;
    if (isNews) this.#kernel.report(`${title}: ${reason}`);
    try {
      const kept = this.#status ?? doorStatusOf(await this.#kernel.store.marks.get(name, statusMark));
      if (isNews) await this.#note({ ...kept, problem: reason });
      await this.#warn(kept);
      if (isConflict) await this.#tellConflict(reason);
    } catch (error) {
      // What keeps the status from being kept keeps the updates from it too, and is told there.
      this.#kernel.report(`How ${title} stands could not be kept: ${describeError(error)}`);
    }
  }

  /** Only the owner can end it, and sees no log. */
  async #tellConflict(reason: string): Promise<void> {
    if (this.#toldConflict === reason) return;
    this.#toldConflict = reason;
    await this.#kernel.tellOwner(`${this.#service.title}: ${reason}`);
  }

  /** Says once that the service is about to drop this device. */
  async #warn(kept: DoorStatus): Promise<void> {
    const { name, title } = this.#service;
    const words = describeForgetting(name, kept, this.#kernel.clock());
    if (words === null || this.#isWarned) return;
    this.#isWarned = true;
    await this.#kernel.tellOwner(
      `${title}: ${words}. passepartout gateway list says what stands in the way.`,
    );
  }

  async #note(status: DoorStatus): Promise<void> {
    this.#notedAt = this.#kernel.clock();
    this.#status = status;
    await this.#kernel.store.marks.set(this.#service.name, statusMark, status);
  }
}
