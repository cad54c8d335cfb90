import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";

/** Where to listen; null for not there. Port 0 takes any free one. */
export type ListenAddresses = { readonly socketPath: string | null; readonly port: number | null };

/** Open ears, or why there are none, in words. */
export type ListenResult =
  | {
      readonly ok: true;
      /** The TCP port on 127.0.0.1; null where none was asked for. */
      readonly port: number | null;
      /** Lets nobody in any more. Who is connected stays. */
      readonly stop: () => void;
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

/** How a client came in. */
export type Transport = "socket" | "port";

/** `sockaddr_un` has room for so many bytes of a path, its end mark aside. */
const longestPath = 107;

/** Listens on a Unix socket that only this user reaches (mode 0600 in a folder of mode 0700), and on TCP 127.0.0.1. All or nothing; sockets are given half-open. */
export async function listen(addresses: ListenAddresses, ears: ConnectionSink): Promise<ListenResult> {
  const servers: Server[] = [];
  const stop = (): void => {
    for (const server of servers) server.close();
  };
  if (addresses.socketPath !== null) {
    const opened = await listenOnSocket(addresses.socketPath, ears);
    if ("ok" in opened) return opened;
    servers.push(opened);
  }
  if (addresses.port === null) return { ok: true, port: null, stop };
  const opened = await listenOnPort(addresses.port, ears);
  if ("ok" in opened) {
    stop();
    return opened;
  }
  servers.push(opened);
  const address = opened.address();
  return { ok: true, port: typeof address === "object" ? (address?.port ?? null) : null, stop };
}

async function listenOnSocket(path: string, ears: ConnectionSink): Promise<Server | Refusal> {
  const problem = folderProblem(path) ?? (await clearStale(path));
  if (problem !== null) return problem;
  const { server, error } = await open({ path }, ears);
  if (error === null) {
    chmodSync(path, 0o600);
    return server;
  }
  if (codeOf(error) === "EADDRINUSE") return taken(path);
  return unusable(`The socket ${path} cannot be opened: ${error.message}.`);
}

async function listenOnPort(port: number, ears: ConnectionSink): Promise<Server | Refusal> {
  const { server, error } = await open({ port, host: "127.0.0.1" }, ears);
  if (error === null) return server;
  if (codeOf(error) === "EADDRINUSE") {
    const reason = `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or choose a port with --port N.`;
    return { ok: false, code: "port-taken", reason };
  }
  const reason = `Port ${port} on 127.0.0.1 cannot be opened: ${error.message}. Choose another with --port N.`;
  return { ok: false, code: "port-unusable", reason };
}

type Place = { readonly path: string } | { readonly port: number; readonly host: string };
type ListenAttempt = { readonly server: Server; readonly error: Error | null };

function open(place: Place, { accept, report }: ConnectionSink): Promise<ListenAttempt> {
  const { promise, resolve } = Promise.withResolvers<ListenAttempt>();
  const way: Transport = "path" in place ? "socket" : "port";
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => accept(socket, way));
  const refused = (error: Error): void => resolve({ server, error });
  server.once("error", refused);
  server.listen({ ...place, backlog: 1024 }, () => {
    server.off("error", refused);
    server.on("error", (error) => report(`A client could not be let in: ${error.message}`));
    resolve({ server, error: null });
  });
  return promise;
}

/** Makes the socket's folder where there is none. One that others can enter is refused, not changed: it may be theirs. */
function folderProblem(path: string): Refusal | null {
  const folder = dirname(path);
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPath) {
    const remedy = "Name a runtime folder with a shorter path.";
    return unusable(
      `The socket's path ${path} has ${bytes} bytes, and ${longestPath} are possible. ${remedy}`,
    );
  }
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const found = statSync(folder);
    if (!found.isDirectory())
      return unusable(`The socket's folder ${folder} cannot be used: it is no folder.`);
    const mode = found.mode & 0o777;
    if ((mode & 0o077) === 0) return null;
    return unusable(
      `Others can enter the socket's folder ${folder} (mode ${mode.toString(8)}): chmod 700 it, or name another runtime folder.`,
    );
  } catch (error) {
    return unusable(`The socket's folder ${folder} cannot be used: ${messageOf(error)}.`);
  }
}

/** Removes the socket that a dead process left behind; one that somebody listens on, and what is no socket, stay and are refused. */
async function clearStale(path: string): Promise<Refusal | null> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isSocket()) return unusable(`${path} is in the way and is not a socket. Move it aside.`);
  const code = await knock(path);
  if (code === null) return taken(path);
  if (code !== "ECONNREFUSED" && code !== "ENOENT") {
    return unusable(`Whether a daemon listens on ${path} cannot be told (${code}). Remove it if none does.`);
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

/** Null where somebody opens, else the error's code. */
function knock(path: string): Promise<string | null> {
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
  const reason = `A daemon listens on ${path} already. Talk to that one, or stop it and try again.`;
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
