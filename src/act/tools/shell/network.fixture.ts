import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { EgressLimits } from "../../egress/egress-limits.ts";
import type { Dial, EgressConnection } from "../../egress/egress-proxy.ts";
import type { EgressPorts } from "../../egress/open-egress.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "./shell.fixture.ts";

/** A public address that the test's names lead to. Nothing is ever sent there: the dialler leads to a server on loopback. */
export const publicAddress = "93.184.215.14";

/** Listens on loopback until the test ends. Every connection that is still open then is ended. */
async function listening(context: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/** An HTTP server on loopback. */
export const serve = (context: TestContext, listener: RequestListener): Promise<number> =>
  listening(context, createServer(listener));

/** A TCP server on loopback. */
export const serveTcp = (context: TestContext, listener: (socket: Socket) => void): Promise<number> =>
  listening(context, createTcpServer(listener));

/** A resolver that knows these names, and a dialler that leads every public address to one port on loopback. */
export function madeUpInternet(port: number, names: Readonly<Record<string, readonly string[]>> = {}) {
  const dialled: { readonly host: string; readonly addresses: readonly string[] }[] = [];
  const dial: Dial = ({ host }, addresses) => {
    dialled.push({ host, addresses });
    return connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  };
  const known = new Map(Object.entries(names));
  return {
    dial,
    dialled,
    resolveHost: async (host: string) =>
      known.get(host) ?? (host.endsWith(".example") ? [publicAddress] : []),
  };
}

/** A confined shell whose approved hosts, all names that end in `.example`, lead to one server of the test. Null without a sandbox. */
export async function onTheInternet(
  context: TestContext,
  port: number,
  given: {
    readonly names?: Readonly<Record<string, readonly string[]>>;
    readonly limits?: Partial<EgressLimits>;
    readonly ports?: Partial<ShellPorts>;
    readonly egress?: Pick<EgressPorts, "credentials" | "secure" | "environment">;
    readonly node?: string;
  } = {},
) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const root = await makeScratchFolder(context);
  const [workspace, folder] = [join(root, "workspace"), join(root, "run")];
  await mkdir(workspace);
  const connections: EgressConnection[] = [];
  const internet = madeUpInternet(port, given.names);
  const shell = shellIn(workspace, {
    sandbox,
    hidden: [folder],
    timeoutMilliseconds: 20_000,
    networkMilliseconds: 20_000,
    network: {
      folder,
      resolveHost: internet.resolveHost,
      dial: internet.dial,
      record: (_where, connection) => connections.push(connection),
      ...given.egress,
      ...(given.limits === undefined ? {} : { limits: given.limits }),
      ...(given.node === undefined ? {} : { node: given.node }),
    },
    ...given.ports,
  });
  const run = async (
    cmd: string,
    hosts?: readonly string[],
    credentials?: readonly string[],
  ): Promise<string> => outputOf(await shell.run(cmd, undefined, hosts, credentials));
  return { root, workspace, folder, shell, run, connections, dialled: internet.dialled };
}
