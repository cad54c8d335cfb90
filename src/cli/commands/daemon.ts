import { favourMemory } from "../../daemon/favour-memory.ts";
import { runDaemon } from "../../daemon/serve.ts";
import { serveWhileUsed } from "../../daemon/serve-while-used.ts";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { daemonSpec } from "../table/own-specs.ts";

/**
 * Runs the agent as a service, in the foreground, until SIGINT or SIGTERM: both end it in order, with exit
 * code 0. Where an update was installed, the new program takes over in the same process.
 */
export async function daemonCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, daemonSpec);
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw usageError("--port needs a number from 0 (any free port) to 65535.", daemonSpec);
  }
  const whileUsed = values["while-used"];
  const left = Promise.withResolvers<void>();
  let hasLeft = false;
  const off = io.onInterrupt(() => {
    hasLeft = true;
    left.resolve();
  });
  // A service asks nobody: one that was started in the background would be stopped by reading the terminal.
  const { askPassphrase: _, ...start } = makeStartContext(io);
  try {
    const listening = (text: string): void => io.err(`${text}\n`);
    const handOver = await (whileUsed
      ? serveWhileUsed(start, { listening, leave: left.promise })
      : runDaemon(start, {
          port,
          listening,
          leave: left.promise,
          followZone: () => io.followZone?.(),
          loaded: favourMemory,
        }));
    // A signal that came while everything was closed ends the daemon, and so does one from here on.
    const heard = Promise.withResolvers<void>();
    setImmediate(heard.resolve);
    await heard.promise;
    off();
    if (hasLeft) handOver?.giveUp();
    else handOver?.takeOver();
  } finally {
    off();
  }
  return exitCodes.done;
}
