import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

/** The port that resolves a host name to its addresses. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Asks the resolver of this machine. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/** Whether an address is not on the public Internet: this machine, the local network, link-local, a metadata service or reserved. Text that is no address counts as private. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return true;
  const family = version === 6 ? "ipv6" : "ipv4";
  return privateAddresses.check(address, family) || (version === 6 && !global6.check(address, family));
}

/** IPv6 networks that may be public: global unicast, and IPv4 inside IPv6, which counts as itself. */
const global6 = blockList(
  [],
  [
    ["2000::", 3],
    ["64:ff9b::", 96],
    ["::ffff:0:0", 96],
  ],
);

const private4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

const privateAddresses = blockList(private4, [
  ...private4.map(([network, prefix]) => [`64:ff9b::${network}`, 96 + prefix] as const),
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

type Networks = readonly (readonly [network: string, prefix: number])[];

function blockList(four: Networks, six: Networks): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of four) list.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of six) list.addSubnet(network, prefix, "ipv6");
  return list;
}

/** The port that sends one request. */
export type SendRequest = (
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<IncomingMessage>;

/** Sends a request to the given addresses only, whatever the host name resolves to by now. HTTP is loaded on first use: it is heavy, and most runs fetch nothing. */
export const sendRequest: SendRequest = async (url, addresses, signal) => {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = {
      "accept-encoding": "gzip, deflate, br, zstd",
      "user-agent": "passepartout",
      accept:
        "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, application/pdf;q=0.9, */*;q=0.1",
    };
    const sent = request(url, { agent: false, lookup: pinAddresses(addresses), signal, headers });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end();
  });
};

/** A lookup that gives these addresses for any name, so that a connection goes to the addresses that were checked. */
export function pinAddresses(addresses: readonly string[]): LookupFunction {
  return (_host, options, answer) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const first = all[0];
    if (first === undefined) answer(new Error("no address was given"), "", 4);
    else if (options.all === true) answer(null, all);
    else answer(null, first.address, first.family);
  };
}
