import { sha256 } from "../../machine/digest.ts";
import { canonicalJson, type JsonObject } from "../../text/json.ts";
import type { ModelRequest, Provider } from "./model-port.ts";

/** SHA-256 over the canonical JSON of a request, in which each message and each tool declaration is replaced by its own SHA-256. */
export type RequestDigest = (provider: Provider, request: ModelRequest) => string;

/** Makes a digest that hashes each message and each tool declaration once, however often it is sent. */
export function makeRequestDigest(): RequestDigest {
  const digests = new WeakMap<JsonObject, string>();
  const digestOf = (part: JsonObject): string => {
    const digest = digests.get(part) ?? sha256(canonicalJson(part));
    digests.set(part, digest);
    return digest;
  };
  return (provider, { messages, tools, files, session: _, ...rest }) =>
    sha256(
      canonicalJson({
        provider: provider.name,
        ...rest,
        ...(files === undefined || files.size === 0 ? {} : { files: [...files.keys()].sort() }),
        messages: messages.map(digestOf),
        tools: tools.map(digestOf),
      }),
    );
}
