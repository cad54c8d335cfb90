import type { Agent } from "../../daemon/agent/agent.ts";
import { exitCodes, type Io } from "./io.ts";

/** Does some work; the first Ctrl-C stops the turn of the session that it is in by then, a second leaves; SIGTERM leaves after at most 5 s, with the turn on disk. */
export async function runInterruptibly(
  io: Io,
  daemon: Agent,
  session: () => string,
  work: () => Promise<number>,
): Promise<number> {
  const left = Promise.withResolvers<number>();
  let interrupts = 0;
  const off = io.onInterrupt((signal) => {
    interrupts += 1;
    if (signal === "SIGINT" && interrupts === 1) {
      io.err("\nStopping. Ctrl-C again leaves.\n");
      daemon.stop(session()).catch((error: unknown) => left.reject(error));
      return;
    }
    io.err("\nLeaving. What is not finished stays on disk and goes on at the next start.\n");
    const patience = signal === "SIGTERM" ? 5000 : 0;
    daemon.drain(patience).then(() => left.resolve(exitCodes.failed), left.reject);
  });
  try {
    return await Promise.race([work(), left.promise]);
  } finally {
    off();
  }
}

/** Waits for the turns that an earlier process left and this one took up; says so if it takes a second. */
export async function waitForResumedTurns(io: Io, daemon: Agent): Promise<void> {
  const notice = setTimeout(
    () => io.err("Finishing what an earlier run left behind. Ctrl-C leaves it for the next start.\n"),
    1000,
  );
  await daemon.whenIdle();
  clearTimeout(notice);
}
