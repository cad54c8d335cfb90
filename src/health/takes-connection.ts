import { connect } from "node:net";

/** Milliseconds that a connection on this machine may take: a machine that is busy takes long over it. */
const usualPatience = 5000;

/**
 * Whether something on this machine takes connections at a port, within `patience` milliseconds. Sends
 * nothing.
 */
export function takesConnection(host: string, port: number, patience = usualPatience): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: patience });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => end(true));
    // Where this process was busy meanwhile, the connection is there, and is told after the timer.
    socket.once("timeout", () => setImmediate(end, false));
    socket.once("error", () => end(false));
  });
}
