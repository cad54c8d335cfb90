import { connect } from "node:net";

/** Milliseconds that a connection on this machine may take. */
const patience = 500;

/** Whether something on this machine takes connections at a port. Sends nothing. */
export function takesConnection(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: patience });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
