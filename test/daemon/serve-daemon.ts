import { program } from "../../src/cli/program.ts";
import { runDaemon } from "../../src/daemon/serve.ts";
import type { AgentWorld } from "../agent-world.ts";
import { sharedStart } from "../shared-start.ts";
import type { DaemonProcess } from "./daemon-process.ts";

/** A daemon in the process of its test. */
export type ServedDaemon = Pick<DaemonProcess, "port" | "socketPath" | "said"> & {
  /** Ends the daemon as SIGTERM does. */
  readonly leave: () => Promise<void>;
};

type Options = { readonly settings?: Readonly<Record<string, string>>; readonly cwd?: string };

/**
 * Serves the daemon of a world in this process, on a free port, until its test ends. It costs a tenth of a
 * process, and is the daemon in all but its signals, its streams, its clock and its death: for these there is
 * `startDaemon`.
 */
export async function serveDaemon(
  world: AgentWorld,
  { settings, cwd = world.workspace }: Options = {},
): Promise<ServedDaemon> {
  let said = "";
  const [listening, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tell = (text: string): void => {
    said += `${text}\n`;
    listening.resolve();
  };
  const ended = runDaemon(
    {
      environment: { ...world.environment, ...settings },
      cwd,
      version: program.version,
      warn: (message) => {
        said += `passepartout: ${message}\n`;
      },
      ...sharedStart,
    },
    {
      port: 0,
      listening: tell,
      leave: leave.promise,
      followZone: () => undefined,
      loaded: () => undefined,
    },
  );
  const end = async (): Promise<void> => {
    leave.resolve();
    await ended;
  };
  world.atEnd(end);
  await Promise.race([
    listening.promise,
    ended.then(() => Promise.reject(new Error(`the daemon ended before it listened: ${said}`))),
  ]);
  const [, socketPath = "", port = ""] = /Listening on (\S+) and 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
  return { said: () => said, leave: end, socketPath, port: Number(port) };
}
