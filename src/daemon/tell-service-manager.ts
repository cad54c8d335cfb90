import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Environment } from "../settings/environment.ts";

/**
 * Tells systemd, where it started this process, that the agent answers, and from then on that it lives.
 * Returns what says that it leaves, or that its process goes on with another build, of which systemd needs
 * no word until that is ready. Node has no datagram socket for systemd's own, so systemd's program is
 * called.
 */
export function tellServiceManager(
  environment: Environment,
  program = "/usr/bin/systemd-notify",
): (goesOn: boolean) => void {
  const socket = environment["NOTIFY_SOCKET"];
  if (socket === undefined || !existsSync(program)) return () => undefined;
  const tell = (words: string): void => {
    const child = spawn(program, [words], { env: { NOTIFY_SOCKET: socket }, stdio: "ignore", cwd: "/" });
    // What systemd was not told it notices itself: the watchdog ends a service that is not heard.
    child.on("error", () => undefined);
    child.unref();
  };
  tell("READY=1");
  const microseconds = Number(environment["WATCHDOG_USEC"] ?? 0);
  const timer =
    microseconds > 0 ? setInterval(() => tell("WATCHDOG=1"), microseconds / 3000).unref() : undefined;
  return (goesOn) => {
    clearInterval(timer);
    if (!goesOn) tell("STOPPING=1");
  };
}
