import { runDaemon, serveWhileUsed } from "../../daemon/serve.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { makeStartContext } from "./start-context.ts";

const usage = `passepartout daemon [--port N | --while-used]
Runs the agent as a service, in the foreground, until Ctrl-C or SIGTERM. Other commands then connect to it.
  --port N      TCP port on 127.0.0.1 to listen on; the default is 9105, and 0 takes any free port
  --while-used  listens on the socket alone, and ends when nobody uses it and nothing runs
Exit codes: 0 stopped by a signal, 1 it could not start, 2 wrong usage.`;

/** Runs the agent as a service, in the foreground, until SIGINT or SIGTERM: both end it in order, with exit code 0. */
export async function daemonCommand(io: Io): Promise<number> {
  const { values } = parseOptions(io, usage, {
    port: { type: "string" },
    "while-used": { type: "boolean", default: false },
  });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw usageError("--port needs a number from 0 (any free port) to 65535.", usage);
  }
  const whileUsed = values["while-used"];
  if (whileUsed && port !== null) throw usageError("Use either --port or --while-used, not both.", usage);
  const left = Promise.withResolvers<void>();
  const off = io.onInterrupt(() => left.resolve());
  // A service asks nobody: one that was started in the background would be stopped by reading the terminal.
  const { askPassphrase: _, ...start } = makeStartContext(io);
  try {
    const listening = (text: string): void => io.err(`${text}\n`);
    if (whileUsed) await serveWhileUsed(start, { listening, leave: left.promise });
    else await runDaemon(start, { port, listening, leave: left.promise });
  } finally {
    off();
  }
  return exitCodes.done;
}
