import type { Binding } from "../../settings/vault-file.ts";
import { addressKind } from "../../text/address-kind.ts";
import { isObeyedVariable } from "../../text/later/obeyed-variables.ts";

/** Reads where a value of the vault is to be put in; says what is wrong where it cannot be used so. */
export function readBinding(
  name: string,
  host: string,
  { header = "authorization", variable }: { readonly header?: string; readonly variable?: string },
): Binding | string {
  const place = readPlace(host);
  if (place === null)
    return "bind needs the HOST that may get the value: a name or address on the public Internet, such as api.example.org or api.example.org:8443.";
  const lower = header.toLowerCase();
  if (!/^[a-z0-9-]{1,64}$/.test(lower) || ofTheConnection.test(lower))
    return `${header} is not a header that a credential can be in. Use one such as Authorization or X-Api-Key.`;
  const shown = variable ?? name.toUpperCase().replace(/[^A-Z0-9]/g, "_");
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(shown))
    return `${shown} cannot be the name of a variable. Give one: --variable API_TOKEN`;
  if (isObeyedVariable(shown))
    return `${shown} is a variable that programs obey, so a credential cannot stand in it. Give another one: --variable API_TOKEN`;
  return { ...place, header: lower, variable: shown };
}

/** A host by its name in lower case, without a final dot, and a port; null for any other text and for this machine and its networks. */
function readPlace(text: string): Pick<Binding, "host" | "port"> | null {
  const url = /^[\w.[\]:-]+$/.test(text) ? URL.parse(`https://${text}/`) : null;
  if (url === null) return null;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isPublic = (addressKind(host) ?? "public") === "public" && !/(?:^|\.)localhost$/.test(host);
  return isPublic && host !== "" ? { host, port: Number(url.port || 443) } : null;
}

/** Headers that say how a request is sent. */
const ofTheConnection =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|proxy-.*|accept.*)$/;
