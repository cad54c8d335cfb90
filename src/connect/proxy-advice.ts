/** What a failure says where a proxy wants other credentials. */
export const wrongName = "it wants another name or password (407)";
/** What a failure says where a certificate has no known signer. */
export const unknownSigner = "the host has a certificate that nobody signed whom this machine knows";

/** What to do about a failure on the way through a proxy, by its words; null for any other failure. */
export function adviceOnProxy(fault: string): string | null {
  if (!fault.includes("through the proxy ")) return null;
  if (fault.includes(wrongName))
    return "Correct the name and the password of the proxy in the variable, or keep the password by: passepartout vault set proxy-password.";
  if (fault.includes(unknownSigner))
    return "Name the certificate authority of your network in NODE_EXTRA_CA_CERTS, and start passepartout again.";
  return "Check the proxy and the variable that names it.";
}
