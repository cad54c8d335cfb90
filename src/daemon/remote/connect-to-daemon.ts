import { randomUUID } from "node:crypto";
import { wait } from "../../machine/wait.ts";
import { findHeldSocket } from "../../memory/storage/held-socket.ts";
import type { Policy } from "../../settings/policy.ts";
import { socketPathOf } from "../../settings/socket-path.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { type Client, type ClientEvent, type DisconnectCode, openClient } from "../../wire/client/client.ts";
import { hiddenPromptCapability } from "../../wire/codec/hidden-prompts.ts";
import { wireLimits } from "../../wire/codec/limits.ts";
import { readSecret } from "../../wire/codec/proof-secret.ts";
import type { Agent } from "../agent/resources/agent.ts";
import { DaemonConnection } from "./daemon-connection.ts";
import { makeRemoteAgent } from "./remote-agent.ts";

/** Codes that mean that no daemon is there. `lost` is a daemon that leaves at this moment. */
const absent: ReadonlySet<DisconnectCode> = new Set(["unreachable", "no-secret", "lost"]);

/** The agent in another process, reached over its socket. Null where no daemon answers and proves itself at once. */
export async function connectToDaemon(
  start: StartContext,
  policy: Policy,
  source: "cli" | "tui",
): Promise<Agent | null> {
  const folder = policy.config.places.state;
  const socketPath = (): string => findHeldSocket(folder, socketPathOf(policy));
  const client = openClient({
    socketPath,
    port: null,
    secret: async () => readSecret(folder),
    source,
    capabilities: [...(start.asksHidden === true ? [hiddenPromptCapability] : []), "output", "stream"],
    workspace: start.cwd,
    wait,
    newId: randomUUID,
    limits: wireLimits,
  });
  const first = await firstEvent(client);
  if (first.kind === "ready") {
    const connection = new DaemonConnection({
      client,
      daemon: first.daemon,
      wait,
      warn: start.warn ?? (() => undefined),
    });
    return makeRemoteAgent(connection, { version: first.daemon.version, source });
  }
  await client.close();
  if (first.kind === "waiting" && !absent.has(first.code)) {
    throw new Error(`${socketPath()}: ${first.reason}`);
  }
  return null;
}

function firstEvent(client: Client): Promise<ClientEvent> {
  return new Promise((resolve) => {
    const off = client.on((event) => {
      off();
      resolve(event);
    });
  });
}
