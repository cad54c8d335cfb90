import { randomBytes } from "node:crypto";
import type { HostPort } from "./host-port.ts";

/** Where a value of the owner may be put in: the one place, the header of a request, and the variable by which a command names it. */
export type CredentialBinding = HostPort & {
  readonly name: string;
  /** In lower case. */
  readonly header: string;
  readonly variable: string;
};

/** The owner's values that commands may use without knowing them. */
export type CredentialPorts = {
  readonly list: () => readonly CredentialBinding[];
  /** The value as it is now, or why there is none. */
  readonly read: (
    name: string,
  ) => { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };
  /** Makes a filter that covers the owner's values in what comes by, one character for each byte, and keeps its length. */
  readonly makeMask: () => { readonly push: (text: string) => string; readonly end: () => string };
};

/** A binding for one run, with the text that stands for the value in it. */
export type Credential = CredentialBinding & { readonly placeholder: string };

/** Makes a placeholder that no other run has. */
export function issueCredential({ name, host, port, header, variable }: CredentialBinding): Credential {
  return {
    name,
    host,
    port,
    header,
    variable,
    placeholder: `placeholder-${randomBytes(16).toString("hex")}`,
  };
}

/** The credentials that belong to a place. A request by plain HTTP to the usual port means the usual port of HTTPS: the proxy makes it that. */
export function credentialsAt(
  credentials: readonly Credential[],
  { host, port }: HostPort,
): readonly Credential[] {
  return credentials.filter(
    (each) => each.host === host && (each.port === port || (port === 80 && each.port === 443)),
  );
}

/** Headers of a request, each with its values. */
export type Headers = Record<string, string[]>;

/** The headers with the values put in, and the names of the credentials that were used; or why that is not safe. */
export type FilledHeaders =
  | { readonly ok: true; readonly headers: Headers; readonly used: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Puts values in for their placeholders, each in its own header alone. A placeholder anywhere else stays as it is. */
export function fillHeaders(
  headers: Headers,
  credentials: readonly Credential[],
  read: CredentialPorts["read"],
): FilledHeaders {
  const filled: Headers = { ...headers };
  const used: string[] = [];
  for (const { name, header, placeholder } of credentials) {
    const [text = "", ...more] = filled[header] ?? [];
    if (![text, ...more].some((each) => isNamed(each, placeholder))) continue;
    if (more.length > 0) return { ok: false, reason: `the request has the header ${header} twice` };
    const found = read(name);
    if (!found.ok) return { ok: false, reason: `the credential ${name} cannot be used. ${found.reason}` };
    filled[header] = [putIn(text, placeholder, found.value)];
    used.push(name);
  }
  return { ok: true, headers: filled, used };
}

function isNamed(text: string, placeholder: string): boolean {
  return text.includes(placeholder) || (loginOf(text)?.includes(placeholder) ?? false);
}

function putIn(text: string, placeholder: string, value: string): string {
  if (text.includes(placeholder)) return text.replaceAll(placeholder, () => value);
  const login = (loginOf(text) ?? "").replaceAll(placeholder, () => value);
  return `Basic ${Buffer.from(login, "utf8").toString("base64")}`;
}

/** The user and password of basic authentication (RFC 7617); null in any other text. */
function loginOf(text: string): string | null {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(text)?.[1];
  return encoded === undefined ? null : Buffer.from(encoded, "base64").toString("utf8");
}

/** The variables by which a command finds its credentials. Git is led to them: it sends each address of the host by plain HTTP, with the placeholder as password. */
export function credentialVariables(
  credentials: readonly Credential[],
): readonly (readonly [string, string])[] {
  const settings = credentials.flatMap(({ host, port, header, placeholder }) => {
    const place = port === 443 ? host : `${host}:${port}`;
    const plain = `http://${place}/`;
    const login = Buffer.from(`x-access-token:${placeholder}`).toString("base64");
    const redirect = [`url.${plain}.insteadOf`, `https://${place}/`] as const;
    return header === "authorization"
      ? [redirect, [`http.${plain}.extraHeader`, `Authorization: Basic ${login}`] as const]
      : [redirect];
  });
  return [
    ...credentials.map(({ variable, placeholder }) => [variable, placeholder] as const),
    ...(settings.length === 0 ? [] : [["GIT_CONFIG_COUNT", String(settings.length)] as const]),
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key] as const,
      [`GIT_CONFIG_VALUE_${at}`, value] as const,
    ]),
  ];
}
