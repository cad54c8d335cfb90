import { runDaemon } from "../../daemon/serve.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { makeStartContext } from "./start-context.ts";

const usage = "passepartout daemon [--port N]";

/** The agent as a service, in the foreground, until SIGINT or SIGTERM; both end it in order, with exit code 0. */
export async function daemonCommand(io: Io): Promise<number> {
  const { values } = parseOptions(io, usage, { port: { type: "string" } });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw new UsageError(`--port needs a number from 0 (any free one) to 65535.\nUsage: ${usage}`);
  }
  const left = Promise.withResolvers<void>();
  const off = io.onInterrupt(() => left.resolve());
  try {
    await runDaemon(makeStartContext(io), {
      port,
      listening: (text) => io.err(`${text}\n`),
      leave: left.promise,
    });
  } finally {
    off();
  }
  return exitCodes.done;
}
