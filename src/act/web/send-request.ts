import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIPv6, type LookupFunction } from "node:net";
import { acceptEncoding } from "../../connect/content-encodings.ts";
import { addressKind } from "../../signal/address-kind.ts";

/** The port that resolves a host name to its addresses. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Asks the resolver of this machine. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/** Whether an address is not on the public Internet: this machine, the local network, link-local, a metadata service or reserved. Text that is no address counts as private. */
export function isPrivateAddress(address: string): boolean {
  return addressKind(address) !== "public";
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
      "accept-encoding": acceptEncoding(),
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
