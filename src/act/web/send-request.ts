import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { acceptEncoding } from "../../connect/content-encodings.ts";
import { decoders } from "../../connect/decode-body.ts";
import { goesThroughProxy, send } from "../../connect/send.ts";
import { addressKind } from "../../text/address-kind.ts";

/** The port that resolves a host name to its addresses. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Asks the resolver of this machine. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/**
 * The addresses of a URL's host. Behind a proxy, which resolves names itself, a host need not be known here:
 * then it has none.
 */
export async function addressesOfHost(url: URL, resolve: ResolveHost): Promise<readonly string[]> {
  try {
    return await resolve(url.hostname.replace(/^\[|\]$/g, ""));
  } catch (error) {
    if (goesThroughProxy(url)) return [];
    throw error;
  }
}

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

/**
 * Sends a request for a page to the given addresses only, whatever the host name resolves to by now; where a
 * proxy is set, it goes there by the host's name.
 */
export const sendRequest: SendRequest = (url, addresses, signal) => {
  const headers = {
    "accept-encoding": acceptEncoding(decoders),
    "user-agent": "passepartout",
    accept:
      "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, application/pdf;q=0.9, */*;q=0.1",
  };
  return send({ url, headers, addresses, isConfidential: false, signal });
};
