import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

/** A proxy on loopback as companies have them. Each host name leads to a port of this machine. */
export type LoopbackProxy = AsyncDisposable & {
  readonly url: string;
  /** Each request as the proxy saw it: its first line, and its headers by name. */
  readonly seen: readonly { readonly line: string; readonly headers: NodeJS.Dict<string | string[]> }[];
};

/** Starts a proxy that takes CONNECT and plain requests; with `password` only from `user:PASSWORD`. */
export async function startProxy(
  ports: ReadonlyMap<string, number>,
  password: string | null = null,
): Promise<LoopbackProxy> {
  const seen: { line: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const wanted = `Basic ${Buffer.from(`user:${password}`).toString("base64")}`;
  const mayPass = (headers: NodeJS.Dict<string | string[]>): boolean =>
    password === null || headers["proxy-authorization"] === wanted;
  const server = createServer((asked, answer) => {
    seen.push({ line: `${asked.method} ${asked.url}`, headers: asked.headers });
    if (!mayPass(asked.headers)) {
      answer.writeHead(407).end();
      return;
    }
    const url = new URL(asked.url ?? "");
    const { method, headers } = asked;
    const onward = request(
      { port: ports.get(url.host), host: "127.0.0.1", path: url.pathname, method: method ?? "GET", headers },
      (got) => got.pipe(answer.writeHead(got.statusCode ?? 502, got.headers)),
    );
    asked.pipe(onward.on("error", () => answer.destroy()));
  });
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  server.on("connection", keep);
  server.on("connect", (asked, client, head) => {
    seen.push({ line: `CONNECT ${asked.url}`, headers: asked.headers });
    const port = ports.get(asked.url ?? "");
    if (!mayPass(asked.headers) || port === undefined) {
      client.end(`HTTP/1.1 ${mayPass(asked.headers) ? "403 Forbidden" : "407 Who are you"}\r\n\r\n`);
      return;
    }
    const host = keep(connect(port, "127.0.0.1"));
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    host.write(head);
    client.pipe(host).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("it listens on no port");
  return address.port;
}

/**
 * An own authority, and a server with its certificate for some hosts that passes what it decrypts on to a
 * port.
 */
export type SecureFront = AsyncDisposable & { readonly port: number; readonly authority: string };

/**
 * Makes an authority and a certificate with openssl, and listens for TLS in front of a port of this machine.
 */
export async function startSecureFront(hosts: readonly string[], to: number): Promise<SecureFront> {
  const folder = mkdtempSync(join(tmpdir(), "own-authority-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...key, "-subj", "/CN=Own", "-keyout", file("ca.key"), "-out", file("ca.pem"));
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`;
  const signing = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-addext", names];
  openssl(
    "req",
    "-x509",
    ...key,
    "-subj",
    "/CN=Host",
    ...signing,
    "-keyout",
    file("key"),
    "-out",
    file("cert"),
  );
  const sockets = new Set<Socket>();
  const server = createTlsServer(
    { key: readFileSync(file("key")), cert: readFileSync(file("cert")) },
    (inner) => {
      const onward = connect(to, "127.0.0.1");
      for (const socket of [inner, onward]) {
        sockets.add(socket);
        socket.on("error", () => socket.destroy()).on("close", () => onward.destroy());
      }
      inner.pipe(onward).pipe(inner);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    authority: file("ca.pem"),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true });
    },
  };
}
