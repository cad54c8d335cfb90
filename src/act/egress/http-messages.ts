import type { IncomingMessage, ServerResponse } from "node:http";
import { Transform, type TransformCallback } from "node:stream";
import type { CredentialPorts, Headers } from "./credential.ts";
import { type HostPort, normalHost } from "./host-port.ts";

/** A reason in words why a connection is refused. */
export class Refusal extends Error {}

export const plainText = "text/plain; charset=utf-8";

/** The target of a CONNECT: exactly `HOST:PORT`; null for any other form. */
export function placeOfTunnel(authority: string): HostPort | null {
  const [, host, port] = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/.exec(authority) ?? [];
  return host === undefined || port === undefined ? null : { host: normalHost(host), port: Number(port) };
}

/** The URL of a plain request, as a client sends it to a proxy; null for any other form. */
export function urlOfRequest(text: string): URL | null {
  const url = /^http:\/\//i.test(text) ? URL.parse(text) : null;
  return url === null || url.username !== "" || url.password !== "" ? null : url;
}

/** Gives an answer to the command as the host gave it; with a mask, covered, and only where it is not encoded. */
export function passOn(
  answer: IncomingMessage,
  response: ServerResponse,
  mask: CredentialPorts["makeMask"] | null,
): void {
  answer.on("error", () => response.destroy());
  const headers = endToEnd(answer);
  try {
    if (mask === null) {
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
    } else if (isEncoded(headers)) {
      answer.destroy();
      response.writeHead(502, { "content-type": plainText }).end(encodedAnswer);
    } else {
      response.writeHead(answer.statusCode ?? 502, "", coverHeaders(headers, mask));
      answer.pipe(new Covering(mask())).pipe(response);
    }
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    response.destroy(fault);
  }
}

/** Covers the bytes that pass. */
class Covering extends Transform {
  readonly #mask: ReturnType<CredentialPorts["makeMask"]>;

  constructor(mask: ReturnType<CredentialPorts["makeMask"]>) {
    super();
    this.#mask = mask;
  }

  override _transform(bytes: Buffer, _encoding: string, done: TransformCallback): void {
    done(null, Buffer.from(this.#mask.push(bytes.toString("latin1")), "latin1"));
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.#mask.end(), "latin1"));
  }
}

function coverHeaders(headers: Headers, makeMask: CredentialPorts["makeMask"]): Headers {
  const cover = (text: string): string => {
    const mask = makeMask();
    return mask.push(text) + mask.end();
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [cover(name), values.map(cover)]),
  );
}

/** Whether nobody sees what an answer says before it is decoded. */
function isEncoded(headers: Headers): boolean {
  const encodings = [...(headers["content-encoding"] ?? []), ...(headers["transfer-encoding"] ?? [])];
  return encodings.some((encoding) => !/^\s*(?:identity|chunked)?\s*$/i.test(encoding));
}

const encodedAnswer =
  "The host answered in an encoding that it was not asked for, so the credential in it could not be covered.\n";

export const statusOf = (fault: unknown): number => (fault instanceof Refusal ? 403 : 502);

export function plainAnswer(fault: unknown): string {
  const message = messageOf(fault);
  const length = Buffer.byteLength(message);
  return `HTTP/1.1 ${statusOf(fault)} ${statusOf(fault) === 403 ? "Forbidden" : "Bad Gateway"}\r\ncontent-type: ${plainText}\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${message}`;
}

const hopByHop = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade".split(
    " ",
  ),
);

/** The headers without those that are for one connection only (RFC 9110, 7.6.1). */
export function endToEnd({ rawHeaders, headers }: IncomingMessage): Headers {
  const dropped = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const kept: Headers = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (hopByHop.has(name) || dropped.has(name) || name === "host") continue;
    kept[name] = [...(kept[name] ?? []), rawHeaders[at + 1] ?? ""];
  }
  return kept;
}

export function messageOf(fault: unknown): string {
  return (fault instanceof Error ? fault.message || fault.name : String(fault)).slice(0, 300);
}
