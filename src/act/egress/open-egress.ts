import { randomBytes } from "node:crypto";
import { access, constants, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encrypt, goesThroughProxy, pinAddresses, tunnelTo } from "../../connect/send.ts";
import { isRunning } from "../../machine/is-running.ts";
import { buildEntry } from "../../signal/build-entry.ts";
import type { Bind } from "../sandbox/binds.ts";
import type { ResolveHost } from "../web/send-request.ts";
import type { Credential, CredentialPorts } from "./credential.ts";
import { defaultEgressLimits, type EgressLimits } from "./egress-limits.ts";
import { type Dial, type EgressConnection, EgressProxy, type Secure } from "./egress-proxy.ts";
import { type HostPort, urlOfPlace } from "./host-port.ts";
import { showOwnCertificates } from "./own-certificates.ts";
import { perl, wakingBridge } from "./wake-bridge.ts";

/** The ports of the way out. */
export type EgressPorts = {
  /** A folder that no command sees; the sockets are made in it. */
  readonly folder: string;
  readonly resolveHost: ResolveHost;
  /** Default: connects to the addresses that were checked. */
  readonly dial?: Dial;
  /** Default: TLS, with the certificates that this Node trusts. */
  readonly secure?: Secure;
  /** The values that commands may use without knowing them. Default: none. */
  readonly credentials?: CredentialPorts;
  readonly limits?: Partial<EgressLimits>;
  /** The program that runs the bridge inside. Default: this Node. */
  readonly node?: string;
  /** Variables that may name certificates of the owner's network. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

/** The way out of one command, open until it is disposed. */
export type Egress = AsyncDisposable & {
  /** What the sandbox shows besides: the bridge, the program that runs it, and the socket. */
  readonly binds: readonly Bind[];
  /**
   * The words that run `argv` behind the bridge, with the variables of the owner's certificates and further
   * ones, which win.
   */
  readonly wrap: (
    argv: readonly string[],
    variables: Iterable<readonly [string, string]>,
  ) => readonly string[];
};

const inside = "/tmp-egress";
const port = 18_080;

/** What one command may reach, and the values that may be put in there. */
export type EgressGrant = {
  readonly allowed: readonly HostPort[];
  readonly credentials: readonly Credential[];
  /** The bridge starts with the first connection. For a command: most make none. */
  readonly bridgeWaits?: boolean;
};

/** Opens a proxy to the allowed places on a socket of its own. Throws where the bridge cannot run. */
export async function openEgress(
  { allowed, credentials, bridgeWaits = false }: EgressGrant,
  ports: EgressPorts,
  record: (connection: EgressConnection) => void,
): Promise<Egress> {
  const node = ports.node ?? process.execPath;
  const bridge = fileURLToPath(buildEntry("bridge-worker"));
  await Promise.all([access(node, constants.X_OK), access(bridge)]);
  const mayWake = bridgeWaits && (await isInSystem(perl));
  const name = `egress-${process.pid}-${randomBytes(4).toString("hex")}`;
  const socket = join(ports.folder, name);
  await mkdir(ports.folder, { recursive: true, mode: 0o700 });
  await removeStaleSockets(ports.folder);
  await using opened = new AsyncDisposableStack();
  const place = { folder: ports.folder, inside, add: (remove: () => Promise<void>) => opened.defer(remove) };
  const own =
    allowed.length === 0 ? null : await showOwnCertificates(ports.environment ?? process.env, place);
  const proxy = await EgressProxy.listen(socket, {
    allowed,
    resolveHost: ports.resolveHost,
    dial: ports.dial ?? dial,
    secure: ports.secure ?? encrypt,
    credentials,
    values: ports.credentials ?? noValues,
    record,
    limits: { ...defaultEgressLimits, ...ports.limits },
  });
  opened.use(proxy);
  const program = `${inside}/bridge.mjs`;
  const starting = [`${inside}/node`, "--disable-warning=ExperimentalWarning", program, `${inside}/proxy`];
  const close = opened.move();
  const words = mayWake ? wakingBridge(starting, port) : [...starting, String(port)];
  return {
    binds: [
      { from: node, to: `${inside}/node` },
      { from: bridge, to: program },
      { from: socket, to: `${inside}/proxy` },
      ...(own?.binds ?? []),
    ],
    wrap: (argv, variables) => [
      ...words,
      ...[...(own?.variables ?? []), ...variables].map((pair) => pair.join("=")),
      "--",
      ...argv,
    ],
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  };
}

/** Whether a program is one that each sandbox shows. */
async function isInSystem(program: string): Promise<boolean> {
  const real = await realpath(program).catch(() => null);
  return real?.startsWith("/usr/") === true;
}

/** The variables by which programs find the proxy. Without a host they give up at their first failure instead of trying again for minutes. */
export function egressVariables(hosts: readonly HostPort[]): readonly (readonly [string, string])[] {
  const proxy = `http://127.0.0.1:${port}`;
  const none = "localhost,127.0.0.1,::1";
  const retries = hosts.length === 0 ? "0" : "1";
  return [
    ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
      [name, proxy] as const,
      [name.toLowerCase(), proxy] as const,
    ]),
    ["NO_PROXY", none],
    ["no_proxy", none],
    ["NODE_USE_ENV_PROXY", "1"],
    ["GIT_TERMINAL_PROMPT", "0"],
    ["npm_config_cache", "/tmp/npm-cache"],
    ["npm_config_update_notifier", "false"],
    ["npm_config_fetch_retries", retries],
    ["npm_config_fetch_retry_mintimeout", "500"],
    ["PIP_RETRIES", retries],
    ["PIP_DISABLE_PIP_VERSION_CHECK", "1"],
  ];
}

/** Certificates that programs check hosts by. They are public. */
export const certificatePlaces: readonly string[] = [
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
  "/etc/ca-certificates",
];

const dial: Dial = (place, addresses) => {
  const url = urlOfPlace(place);
  const direct = { ...place, lookup: pinAddresses(addresses), autoSelectFamily: true, allowHalfOpen: true };
  return goesThroughProxy(url) ? tunnelTo(url) : connect(direct);
};

const noValues: Pick<CredentialPorts, "read" | "makeMask"> = {
  read: () => ({ ok: false, reason: "This program was opened without a vault." }),
  makeMask: () => ({ push: (text) => text, end: () => "" }),
};

/** Removes sockets that a process that was killed left behind. */
async function removeStaleSockets(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^egress-(\d+)-[0-9a-f]+$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
