import { connect, type Socket } from "node:net";

/** Where a daemon may listen; tried in this order, null for not there. */
export type DaemonAddress = { readonly socketPath: string | null; readonly port: number | null };

/** An open socket, or why there is none, in words. */
export type DialResult =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly reason: string };

/** Opens the Unix socket of a daemon, else its port on 127.0.0.1. Who is there has yet to prove itself. Cancelled, it opens nothing. */
export async function dial({ socketPath, port }: DaemonAddress, cancel: AbortSignal): Promise<DialResult> {
  const places = [
    ...(socketPath === null ? [] : [{ path: socketPath, name: socketPath }]),
    ...(port === null ? [] : [{ host: "127.0.0.1", port, name: `127.0.0.1:${port}` }]),
  ];
  const reasons: string[] = [];
  for (const { name, ...place } of places) {
    const dialled = await open(place, cancel);
    if (dialled.ok) return dialled;
    reasons.push(`${name}: ${dialled.reason}`);
  }
  return { ok: false, reason: `No daemon answers (${reasons.join("; ")}).` };
}

type Place = { readonly path: string } | { readonly host: string; readonly port: number };

function open(place: Place, cancel: AbortSignal): Promise<DialResult> {
  const { promise, resolve } = Promise.withResolvers<DialResult>();
  if (cancel.aborted) return Promise.resolve({ ok: false, reason: "not tried" });
  const socket = connect({ ...place, allowHalfOpen: true, noDelay: true });
  const giveUp = (): void => {
    socket.destroy();
    resolve({ ok: false, reason: "not waited for" });
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
