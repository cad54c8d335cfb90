import type { Wait } from "../../text/clock.ts";
import type { JsonObject } from "../../text/json.ts";
import { wireLimits } from "../codec/limits.ts";
import { type Disconnection, openClientConnection } from "./client-connection.ts";
import { dial } from "./dial.ts";

/** What answers on a socket, if anything does. */
export type HealthAnswer =
  /** Nothing listens. */
  | { readonly kind: "nobody" }
  /** A daemon that proved itself and told its health. */
  | { readonly kind: "daemon"; readonly version: string; readonly status: string }
  /** Something takes the connection and does not answer in time. */
  | { readonly kind: "hung" }
  /** A daemon that speaks another protocol, in words that say which of both is to be started again. */
  | { readonly kind: "other-protocol"; readonly reason: string }
  /** Something else answers, or a daemon that does not share our secret. */
  | { readonly kind: "stranger"; readonly reason: string };

/** Asks whatever listens on a socket for its health, and waits at most `patience` milliseconds. Sends nothing but the proof and the question. */
export async function askHealth(given: {
  readonly socketPath: string;
  readonly secret: Uint8Array;
  readonly wait: Wait;
  readonly patience: number;
}): Promise<HealthAnswer> {
  const { socketPath, secret, wait, patience } = given;
  const over = new AbortController();
  const { promise, resolve } = Promise.withResolvers<HealthAnswer>();
  void wait(patience, over.signal).then(() => resolve({ kind: "hung" }));
  const dialled = await Promise.race([dial({ socketPath, port: null }, over.signal), promise]);
  if ("kind" in dialled) {
    over.abort();
    return dialled;
  }
  if (!dialled.ok) {
    over.abort();
    return { kind: "nobody" };
  }
  let version = "";
  const connection = openClientConnection({
    socket: dialled.socket,
    secret,
    source: "cli",
    capabilities: [],
    workspace: null,
    wait,
    limits: { ...wireLimits, proofMilliseconds: patience, lingerMilliseconds: 0 },
    listener: {
      ready(hello) {
        version = hello.version;
        connection.send({ type: "health-check" });
      },
      message(message: JsonObject) {
        const { type, status } = message;
        if (type === "health-response") resolve({ kind: "daemon", version, status: String(status) });
      },
      ended: ({ code, reason }) => resolve(endOf(code, reason)),
    },
  });
  const answer = await promise;
  over.abort();
  connection.close();
  dialled.socket.destroy();
  return answer;
}

function endOf(code: Disconnection["code"], reason: string): HealthAnswer {
  if (code === "silent") return { kind: "hung" };
  return { kind: code === "other-protocol" ? code : "stranger", reason };
}
