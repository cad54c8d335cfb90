import { connectToDaemon } from "../daemon/remote/connect-to-daemon.ts";
import type { Io } from "../kernel/io.ts";
import { loadPolicy } from "../settings/policy.ts";
import { makeStartContext } from "./start-context.ts";

/** Whether an agent runs, which keeps the settings that it was started with. */
export async function hasRunningAgent(io: Io): Promise<boolean> {
  await using agent = await connectToDaemon(makeStartContext(io), loadPolicy(io.environment), "cli");
  return agent !== null;
}
