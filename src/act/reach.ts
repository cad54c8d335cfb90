import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { BlockList, isIPv6, type LookupFunction } from "node:net";

/** The port that resolves a host's name to its addresses. */
export type LookUp = (host: string) => Promise<readonly string[]>;

/** Asks the machine's own resolver. */
export const lookUpHost: LookUp = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/** Whether an address is not on the public Internet: this machine, the local network, link-local or reserved. */
export function isPrivateAddress(address: string): boolean {
  return privateAddresses.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

const privateAddresses = blockList();

function blockList(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["224.0.0.0", 3],
  ] as const) {
    list.addSubnet(network, prefix, "ipv4");
  }
  for (const [network, prefix] of [
    ["::", 128],
    ["::1", 128],
    ["64:ff9b::", 96],
    ["fc00::", 7],
    ["fe80::", 10],
    ["ff00::", 8],
  ] as const) {
    list.addSubnet(network, prefix, "ipv6");
  }
  return list;
}

/** A request that goes to the judged addresses and to no other, whatever the host's name means by now. HTTP is loaded here, since it is heavy and most runs fetch nothing. */
export async function reach(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, options, answer) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const first = all[0];
    if (first === undefined) answer(new Error("no address was judged"), "", 4);
    else if (options.all === true) answer(null, all);
    else answer(null, first.address, first.family);
  };
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = {
      "accept-encoding": "identity",
      "user-agent": "passepartout",
      accept: "text/*, application/json, */*;q=0.1",
    };
    const sent = request(url, { agent: false, lookup: pinned, signal, headers });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end();
  });
}
