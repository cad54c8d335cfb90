import { isIP } from "node:net";
import { isPrivateAddress } from "../web/send-request.ts";

/** A place on the network: a host name (lower case, no final dot) or an address, and a port. */
export type HostPort = { readonly host: string; readonly port: number };

/**
 * Reads where a command may connect to: `HOST` for the ports 443 and 80, `HOST:PORT` for exactly that port, or a URL. A URL with `http`
 * also means port 443, to which most hosts redirect. Null for any other text, and for what is not on the public Internet.
 */
export function readHosts(text: string): readonly HostPort[] | null {
  const isUrl = /^https?:\/\//i.test(text);
  const url = URL.parse(isUrl ? text : `http://${text}`);
  if (url === null || (!isUrl && `${url.pathname}${url.search}${url.hash}${url.username}` !== "/"))
    return null;
  const host = normalHost(url.hostname);
  if (host === "" || !isPublicName(host)) return null;
  const named = url.port === "" ? /:(\d+)$/.exec(isUrl ? "" : text)?.[1] : url.port;
  if (named !== undefined) return [{ host, port: Number(named) }];
  const secure = { host, port: 443 };
  return url.protocol === "https:" ? [secure] : [secure, { host, port: 80 }];
}

/** The form in which hosts are compared: lower case, without brackets and final dot. */
export function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** The hosts in words, with the port where it is not one of the Web. */
export function describeHosts(hosts: readonly HostPort[]): readonly string[] {
  return [
    ...new Set(
      hosts.map(({ host, port }) => (port === 443 || port === 80 ? host : formatHostPort({ host, port }))),
    ),
  ];
}

/** A place as `HOST:PORT`. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * A place as a URL, by which the proxy of this machine's network is found: port 80 speaks HTTP, every other
 * one is taken for TLS.
 */
export function urlOfPlace(place: HostPort): URL {
  return new URL(`${place.port === 80 ? "http" : "https"}://${formatHostPort(place)}`);
}

/** False for this machine and for addresses of its networks. A name is looked up only when it is connected to. */
function isPublicName(host: string): boolean {
  return isIP(host) === 0 ? !/(?:^|\.)localhost$/.test(host) : !isPrivateAddress(host);
}
