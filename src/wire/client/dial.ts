import { connect, type Socket } from "node:net";

/**
 * Where a daemon may listen. The socket is tried first; null means that it does not listen there. A function
 * is asked for each connection: the next daemon may listen elsewhere.
 */
export type DaemonAddress = {
  readonly socketPath: string | (() => string) | null;
  readonly port: number | null;
};

/** An open socket, or the reason why there is none. */
export type DialResult =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly reason: string };

/** Opens the Unix socket of a daemon, else its port on 127.0.0.1. The program that answers has not proved itself yet. Opens nothing if cancelled. */
export async function dial({ socketPath, port }: DaemonAddress, cancel: AbortSignal): Promise<DialResult> {
  const path = typeof socketPath === "function" ? socketPath() : socketPath;
  const places = [
    ...(path === null ? [] : [{ path, name: path }]),
    ...(port === null ? [] : [{ host: "127.0.0.1", port, name: `127.0.0.1:${port}` }]),
  ];
  const reasons: string[] = [];
  for (const { name, ...place } of places) {
    const dialled = await open(place, cancel);
    if (dialled.ok) return dialled;
    reasons.push(`${name}: ${dialled.reason}`);
  }
  return {
    ok: false,
    reason: `No daemon answers (${reasons.join("; ")}). Start one with: passepartout daemon`,
  };
}

type Place = { readonly path: string } | { readonly host: string; readonly port: number };

function open(place: Place, cancel: AbortSignal): Promise<DialResult> {
  const { promise, resolve } = Promise.withResolvers<DialResult>();
  if (cancel.aborted) return Promise.resolve({ ok: false, reason: "cancelled" });
  const socket = connect({ ...place, allowHalfOpen: true, noDelay: true });
  const giveUp = (): void => {
    socket.destroy();
    resolve({ ok: false, reason: "cancelled" });
  };
  const refused = (error: Error): void => {
    cancel.removeEventListener("abort", giveUp);
    resolve({ ok: false, reason: error.message });
  };
  cancel.addEventListener("abort", giveUp, { once: true });
  socket.once("error", refused);
  socket.once("connect", () => {
    cancel.removeEventListener("abort", giveUp);
    socket.off("error", refused);
    resolve({ ok: true, socket });
  });
  return promise;
}
