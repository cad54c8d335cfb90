import { BlockList, isIP } from "node:net";

/** Variables by name, as a process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A proxy that requests go through. */
export type HttpProxy = {
  /** Its address, without a name and password. */
  readonly url: URL;
  /** The value of `proxy-authorization`; null where the address has no name and password. */
  readonly authorization: string | null;
  /** The variable that names it. */
  readonly variable: string;
};

/**
 * The proxy of a URL by `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, as curl reads them: the one
 * of the scheme first, the lower-case form first, an empty value is none, and a value without a scheme is
 * `http://`. This machine is never reached through a proxy. Throws for a value that names no HTTP proxy:
 * nothing goes out beside a proxy that is set.
 */
export function proxyFor(url: URL, variables: Variables): HttpProxy | null {
  const name = `${url.protocol === "https:" ? "https" : "http"}_proxy`;
  const names = [name, name.toUpperCase(), "all_proxy", "ALL_PROXY"];
  const variable = names.find((each) => (variables[each] ?? "").trim() !== "");
  if (variable === undefined || isExempt(url, variables)) return null;
  const value = (variables[variable] ?? "").trim();
  if (/^socks/i.test(value))
    throw new Error(
      `${variable} names a SOCKS proxy, which is not supported: set ${name.toUpperCase()} to an HTTP proxy (http://HOST:PORT), or unset ${variable}`,
    );
  const place = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (place === null || !/^https?:$/.test(place.protocol) || place.hostname === "")
    throw new Error(`${variable} names no HTTP proxy: write http://HOST:PORT`);
  const [name_, password] = [place.username, place.password].map(decode);
  const authorization =
    place.username === "" && place.password === ""
      ? null
      : `Basic ${Buffer.from(`${name_ ?? ""}:${password ?? ""}`).toString("base64")}`;
  return { url: new URL(`${place.protocol}//${place.host}`), authorization, variable };
}

/** How a proxy is told: its address and the variable that names it, never its password. */
export function describeProxy({ url, variable }: HttpProxy): string {
  return `the proxy ${url.host} (${variable})`;
}

/** The name of the vault's value that is the password of a proxy whose address has a name and no password. */
export const proxyPassword = "proxy-password";

const proxyVariables = [
  "https_proxy",
  "HTTPS_PROXY",
  "http_proxy",
  "HTTP_PROXY",
  "all_proxy",
  "ALL_PROXY",
] as const;

/**
 * The variables of proxies for a file that others may read: each without its password. `left` are those that
 * had one.
 */
export function withoutPasswords(variables: Variables): {
  readonly variables: Readonly<Record<string, string>>;
  readonly left: readonly string[];
} {
  const left: string[] = [];
  const kept: Record<string, string> = {};
  for (const name of [...proxyVariables, "no_proxy", "NO_PROXY"]) {
    const value = (variables[name] ?? "").trim();
    const bare = withoutPassword(value);
    if (bare !== value) left.push(name);
    if (value !== "") kept[name] = bare;
  }
  return { variables: kept, left };
}

/**
 * What stands between the name and the last `@` is taken for the password, also where the value is no valid
 * URL.
 */
function withoutPassword(value: string): string {
  const [scheme = ""] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value) ?? [];
  const at = value.lastIndexOf("@");
  const [name = "", ...password] = value.slice(scheme.length, at).split(":");
  return at === -1 || password.length === 0 ? value : `${scheme}${name}${value.slice(at)}`;
}

/** The variables of proxies that have a name and no password, with this password. */
export function withPassword(variables: Variables, password: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    proxyVariables.flatMap((name) => {
      const url = URL.parse(variables[name] ?? "");
      if (url === null || url.username === "" || url.password !== "") return [];
      url.password = encodeURIComponent(password);
      return [[name, url.href]];
    }),
  );
}

/**
 * Puts the password of the vault into the proxies of a process that have a name and none, once the vault can
 * be read.
 */
export function fillProxyPassword(
  vault: {
    readonly read: (name: string) => { readonly ok: true; readonly value: string } | { readonly ok: false };
  },
  variables: Record<string, string | undefined>,
): void {
  const password = vault.read(proxyPassword);
  if (password.ok) Object.assign(variables, withPassword(variables, password.value));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** A host without the brackets of an IPv6 address and the dot at the end of a name. */
function bareHost({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

function isExempt(url: URL, variables: Variables): boolean {
  const host = bareHost(url);
  if (isThisMachine(host)) return true;
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const list = variables["no_proxy"] ?? variables["NO_PROXY"] ?? "";
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function isThisMachine(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(?:\.\d+){3}$/.test(host)
  );
}

/** `*`, a name with all below it, an address, a block or range of addresses; each may end in `:PORT`. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, bracketed, plain, wanted] = /^(?:\[([^\]]+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const place = bracketed ?? plain ?? entry;
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(host) !== 0) return isAddressIn(place, host);
  const name = place.replace(/^\*?\./, "").replace(/\.$/, "");
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function isAddressIn(place: string, host: string): boolean {
  const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
  const [first = "", end = ""] = place.split(/[/-]/);
  if (isIP(first) === 0) return false;
  const list = new BlockList();
  if (place.includes("/") && /^\d{1,3}$/.test(end) && Number(end) <= (isIP(first) === 6 ? 128 : 32))
    list.addSubnet(first, Number(end), family(first));
  else if (place.includes("-") && isIP(end) === isIP(first) && isOrdered(first, end))
    list.addRange(first, end, family(first));
  else if (place === first) list.addAddress(first, family(first));
  return list.check(host, family(host));
}

/** BlockList throws for a range that ends before it begins. */
function isOrdered(first: string, end: string): boolean {
  const numbers = (address: string) => address.split(".").map(Number);
  const at = numbers(first).findIndex((number, place) => number !== numbers(end)[place]);
  return at === -1 || (numbers(first)[at] ?? 0) < (numbers(end)[at] ?? 0);
}
