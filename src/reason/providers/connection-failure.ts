import type { ModelFailure } from "../model/model-port.ts";

type ConnectionFailure = Pick<ModelFailure, "code" | "message">;

const refused = (message: string): ConnectionFailure => ({ code: "refused", message });
const unknownHost = (message: string): ConnectionFailure => ({ code: "unknown-host", message });
const badCertificate = (message: string): ConnectionFailure => ({ code: "bad-certificate", message });
const noTls = badCertificate("does not speak TLS at this address: does http:// belong there?");
const unsigned = badCertificate("has a certificate that nobody signed whom this machine knows");

/** What the system's codes of a connection that could not be made mean. */
const failures: ReadonlyMap<string, ConnectionFailure> = new Map([
  ["ECONNREFUSED", refused("could not be reached: nothing listens at its address (ECONNREFUSED)")],
  ["EHOSTUNREACH", refused("could not be reached: no way leads to its host (EHOSTUNREACH)")],
  ["ENETUNREACH", refused("could not be reached: this machine has no network (ENETUNREACH)")],
  ["EADDRNOTAVAIL", refused("could not be reached (EADDRNOTAVAIL)")],
  ["ETIMEDOUT", refused("could not be reached: its host does not answer (ETIMEDOUT)")],
  [
    "UND_ERR_CONNECT_TIMEOUT",
    refused("could not be reached: its host does not answer (UND_ERR_CONNECT_TIMEOUT)"),
  ],
  ["ENOTFOUND", unknownHost("could not be reached: there is no such host (ENOTFOUND)")],
  ["EAI_AGAIN", unknownHost("could not be reached: the name server does not answer (EAI_AGAIN)")],
  ["ERR_SSL_WRONG_VERSION_NUMBER", noTls],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", noTls],
  ["EPROTO", badCertificate("could not be reached: TLS failed (EPROTO)")],
  ["CERT_HAS_EXPIRED", badCertificate("has a certificate that has expired")],
  ["CERT_NOT_YET_VALID", badCertificate("has a certificate that is not valid yet")],
  ["ERR_TLS_CERT_ALTNAME_INVALID", badCertificate("has a certificate for another host")],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", unsigned],
  ["SELF_SIGNED_CERT_IN_CHAIN", unsigned],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", unsigned],
  ["UNABLE_TO_GET_ISSUER_CERT", unsigned],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", unsigned],
]);

/** The failure that the first known of the codes means; null if none is known. */
export function connectionFailure(codes: readonly string[]): ConnectionFailure | null {
  return codes.flatMap((code) => failures.get(code) ?? [])[0] ?? null;
}
