import { describeError } from "../../signal/text/describe-error.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import { statusMark } from "./door-status.ts";

/** Keeps how a door stands: its last successful request, and what stands in its way. */
export type DoorHealth = {
  readonly received: () => Promise<void>;
  /** `reason` is kept, and told once as long as it stays the same. */
  readonly failed: (reason: string) => Promise<void>;
};

/** Milliseconds between two notes of the same status. */
const noteEvery = 60_000;

/** Begins with what a former process kept. */
export function openDoorHealth(
  { store, clock, report }: Pick<ChatKernel, "store" | "clock" | "report">,
  service: { readonly name: string; readonly title: string },
): DoorHealth {
  const now = {
    notedAt: Number.NEGATIVE_INFINITY,
    receivedAt: null as number | null,
    problem: null as string | null,
  };
  const note = async (): Promise<void> => {
    now.notedAt = clock();
    await store.marks.set(service.name, statusMark, { receivedAt: now.receivedAt, problem: now.problem });
  };
  return {
    async received() {
      now.receivedAt = clock();
      const isNews = now.problem !== null || Math.abs(clock() - now.notedAt) >= noteEvery;
      if (now.problem !== null) report(`${service.title} can be reached again.`);
      now.problem = null;
      if (isNews) await note();
    },
    async failed(reason) {
      if (reason === now.problem) return;
      now.problem = reason;
      report(`${service.title}: ${reason}`);
      try {
        await note();
      } catch (error) {
        // What keeps the status from being kept keeps the updates from it too, and is told there.
        report(`How ${service.title} stands could not be kept: ${describeError(error)}`);
      }
    },
  };
}
