import { chmodSync, existsSync, lstatSync, mkdirSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { findSocketProblem } from "./find-socket-problem.ts";

/** Where to listen; null to listen not there. Port 0 takes any free port. */
export type ListenAddresses = { readonly socketPath: string | null; readonly port: number | null };

/** What is listened on, or why nothing is. */
export type ListenResult =
  | {
      readonly ok: true;
      /** The TCP port on 127.0.0.1; null if none was requested. */
      readonly port: number | null;
      /** Stops accepting clients. Connected clients stay connected. */
      readonly stop: () => void;
      /**
       * Listens again on the socket if its file is gone, as after a logout that removed the runtime folder. Resolves to what the owner should know: that it
       * listens again, or why it cannot; null if the socket is in its place.
       */
      readonly mendSocket: () => Promise<string | null>;
    }
  | {
      readonly ok: false;
      readonly code: "socket-taken" | "socket-unusable" | "port-taken" | "port-unusable";
      readonly reason: string;
    };

type Refusal = Extract<ListenResult, { ok: false }>;
type ConnectionSink = {
  readonly accept: (socket: Socket, way: Transport) => void;
  readonly report: (text: string) => void;
};

/** How a client connected. */
export type Transport = "socket" | "port";

/** Listens on a Unix socket that only this user can reach (mode 0600 in a folder of mode 0700) and on TCP 127.0.0.1: on all addresses or none. Accepted sockets are half-open. */
export async function listen(addresses: ListenAddresses, sink: ConnectionSink): Promise<ListenResult> {
  const socket = addresses.socketPath === null ? null : await listenOnSocket(addresses.socketPath, sink);
  if (socket !== null && "ok" in socket) return socket;
  const port = addresses.port === null ? null : await listenOnPort(addresses.port, sink);
  if (port !== null && "ok" in port) {
    socket?.server.close();
    return port;
  }
  const listening = { socket, stopped: false };
  const address = port?.address() ?? null;
  return {
    ok: true,
    port: address !== null && typeof address === "object" ? address.port : null,
    stop() {
      listening.stopped = true;
      listening.socket?.server.close();
      port?.close();
    },
    async mendSocket() {
      const { socket: before, stopped } = listening;
      if (before === null || stopped || identityOf(before.path) === before.identity) return null;
      if (identityOf(before.path) !== null) {
        return `${before.path} is not this daemon's socket any more: another file has its place. Move that file aside, and the daemon listens again.`;
      }
      // Closing it removes the file at its path, so this comes before the new one.
      before.server.close();
      const opened = await listenOnSocket(before.path, sink);
      if ("ok" in opened) return `The socket ${before.path} was removed. ${opened.reason}`;
      if (listening.stopped) opened.server.close();
      listening.socket = opened;
      return `The socket ${before.path} was removed, and is there again.`;
    },
  };
}

type OpenSocket = { readonly path: string; readonly server: Server; readonly identity: string | null };

/** Identifies the file at a path; null if there is none that can be looked at. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

async function listenOnSocket(path: string, sink: ConnectionSink): Promise<OpenSocket | Refusal> {
  const problem = folderProblem(path) ?? (await clearStale(path));
  if (problem !== null) return problem;
  const { server, error } = await open({ path }, sink);
  if (error === null) {
    chmodSync(path, 0o600);
    return { path, server, identity: identityOf(path) };
  }
  if (codeOf(error) === "EADDRINUSE") return taken(path);
  return unusable(`The socket ${path} cannot be opened: ${error.message}.`);
}

async function listenOnPort(port: number, sink: ConnectionSink): Promise<Server | Refusal> {
  const { server, error } = await open({ port, host: "127.0.0.1" }, sink);
  if (error === null) return server;
  if (codeOf(error) === "EADDRINUSE") {
    const reason = `Port ${port} on 127.0.0.1 is used by another program. Stop that program, or choose another port with --port N.`;
    return { ok: false, code: "port-taken", reason };
  }
  const reason = `Port ${port} on 127.0.0.1 cannot be opened: ${error.message}. Choose another port with --port N.`;
  return { ok: false, code: "port-unusable", reason };
}

type Place = { readonly path: string } | { readonly port: number; readonly host: string };
type ListenAttempt = { readonly server: Server; readonly error: Error | null };

function open(place: Place, { accept, report }: ConnectionSink): Promise<ListenAttempt> {
  const { promise, resolve } = Promise.withResolvers<ListenAttempt>();
  const way: Transport = "path" in place ? "socket" : "port";
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => accept(socket, way));
  const onError = (error: Error): void => resolve({ server, error });
  server.once("error", onError);
  server.listen({ ...place, backlog: 1024 }, () => {
    server.off("error", onError);
    server.on("error", (error) => report(`A client could not be accepted: ${error.message}`));
    resolve({ server, error: null });
  });
  return promise;
}

/** Makes the socket's folder if there is none. A folder that other users can enter is refused and not changed: it may belong to them. */
function folderProblem(path: string): Refusal | null {
  const folder = dirname(path);
  try {
    const problem = findSocketProblem(path);
    if (problem !== null) return unusable(problem);
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    return null;
  } catch (error) {
    return unusable(`The socket's folder ${folder} cannot be used: ${messageOf(error)}.`);
  }
}

/** Removes the socket that a dead process left behind. A socket in use, and any other file, is refused and stays. */
async function clearStale(path: string): Promise<Refusal | null> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const code = await tryToConnect(path);
  if (code === null) return taken(path);
  if (code !== "ECONNREFUSED" && code !== "ENOENT") {
    return unusable(
      `It is not clear whether a daemon listens on ${path} (${code}). If none does, remove the file.`,
    );
  }
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      return unusable(`The socket ${path} of a dead process cannot be removed: ${messageOf(error)}.`);
    }
  }
  return null;
}

/** Null if a program accepts the connection, else the code of the error. */
function tryToConnect(path: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = connect({ path });
  socket.once("connect", () => {
    socket.destroy();
    resolve(null);
  });
  socket.once("error", (error) => resolve(codeOf(error)));
  return promise;
}

function taken(path: string): Refusal {
  const reason = `A daemon already listens on ${path}. Use that daemon, or stop it and try again.`;
  return { ok: false, code: "socket-taken", reason };
}

function unusable(reason: string): Refusal {
  return { ok: false, code: "socket-unusable", reason };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
