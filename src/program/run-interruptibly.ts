import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Io } from "../kernel/io.ts";
import { exitCodes } from "./io.ts";

/** Runs work that the person can interrupt: the first Ctrl-C stops the turn of `session()`, the second leaves; SIGTERM leaves after at most 5 s. What is unfinished is on disk. */
export async function runInterruptibly(
  io: Io,
  agent: Agent,
  session: () => string,
  work: () => Promise<number>,
): Promise<number> {
  const left = Promise.withResolvers<number>();
  let interrupts = 0;
  const off = io.onInterrupt((signal) => {
    interrupts += 1;
    if (signal === "SIGINT" && interrupts === 1) {
      io.err("\nStopping. Press Ctrl-C again to leave.\n");
      agent.stop(session()).catch((error: unknown) => left.reject(error));
      return;
    }
    io.err("\nLeaving. Unfinished work is saved and continues at the next start.\n");
    const patience = signal === "SIGTERM" ? 5000 : 0;
    agent.drain(patience).then(() => left.resolve(exitCodes.failed), left.reject);
  });
  try {
    return await Promise.race([work(), left.promise]);
  } finally {
    off();
  }
}

/**
 * Waits for the turns that an earlier process left unfinished, and for those of other commands that this
 * process serves; says so after a second.
 */
export async function waitForOtherTurns(io: Io, agent: Agent): Promise<void> {
  const notice = setTimeout(
    () =>
      io.err(
        "Finishing other work first: what an earlier run left unfinished, or what other commands began. Press Ctrl-C to leave it for the next start.\n",
      ),
    1000,
  );
  await agent.whenIdle();
  clearTimeout(notice);
}
