import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Waits on this machine for the browser to come back from signing in. */
export type LoginCallback = AsyncDisposable & {
  readonly url: string;
  /** The parameters of the first request that has the state of this login. */
  readonly brought: Promise<URLSearchParams>;
};

const path = "/callback";
const longestAddress = 8192;

/** Listens on the loopback address: on the port that the client was registered for, if it is free, else on any free port. A request with another state is refused and changes nothing. */
export async function listenForLogin(state: string, registered: string | null): Promise<LoginCallback> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const brought = readCallback(request, state);
    if (brought === null) answer(response, 400, "This is not the sign-in that Passepartout waits for.");
    else {
      answer(response, 200, "You can close this page and go back to the terminal.");
      resolve(brought);
    }
  });
  const port = Number(URL.parse(registered ?? "")?.port ?? 0);
  if (port === 0 || !(await listen(server, port))) await listen(server, 0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port is free on this machine.");
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    brought: promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** False where the port is taken. */
function listen(server: Server, port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const fail = (error: NodeJS.ErrnoException): void =>
    port !== 0 && (error.code === "EADDRINUSE" || error.code === "EACCES") ? resolve(false) : reject(error);
  server.once("error", fail).listen(port, "127.0.0.1", () => {
    server.off("error", fail);
    resolve(true);
  });
  return promise;
}

function readCallback({ method, url = "" }: IncomingMessage, state: string): URLSearchParams | null {
  if (method !== "GET" || url.length > longestAddress) return null;
  const read = URL.parse(url, "http://127.0.0.1");
  const given = Buffer.from(read?.searchParams.get("state") ?? "");
  const wanted = Buffer.from(state);
  const isIts = given.length === wanted.length && timingSafeEqual(given, wanted);
  return read !== null && read.pathname === path && isIts ? read.searchParams : null;
}

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`${words}\n`);
}
