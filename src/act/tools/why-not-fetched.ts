import { adviceOnProxy } from "../../connect/proxy-advice.ts";
import { isUnknownSigner, proxyFaultIn } from "../../connect/send.ts";
import { errorCode } from "../files/fallible.ts";

/**
 * What a host did in place of sending a page, and what to do: sentences that go on after the name of the
 * host.
 */
export function whyNotFetched(error: unknown): string {
  const byProxy = proxyFaultIn(error);
  if (byProxy !== null) return `could not be reached ${byProxy}. ${adviceOnProxy(byProxy) ?? ""}`.trim();
  const code = errorCode(error) ?? "";
  if (isUnknownSigner(code))
    return "has a certificate that nobody signed whom this machine knows. Check the URL; only the owner can name a certificate authority, in NODE_EXTRA_CA_CERTS.";
  const why = code || (error instanceof Error ? error.message : String(error));
  return `sent an incomplete response (${why}). Check the URL and try again later.`;
}
