import type { ReachHost } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import { type AddressKind, addressKind } from "../text/address-kind.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** The owner gate of hosts. Each host asks. Malformed hosts block, and so do link-local and metadata addresses, which give out a machine's credentials. */
export const hosts: Gate = {
  name: "hosts",
  priority: 500,
  revision: 3,
  answer(effect, { flows }, index) {
    if (effect.kind !== "reach-host") return { result: "not-concerned" };
    const host = oneLine(effect.target);
    const problem = hostProblem(effect);
    if (problem !== null)
      return { result: "block", code: "malformed-host", reason: `the host ${host} ${problem}` };
    const kinds = new Set(kindsOf(effect));
    if (metadataNames.has(bareName(effect.target)) || kinds.has("metadata") || kinds.has("link-local")) {
      return {
        result: "block",
        code: "metadata-host",
        reason: `${host} is link-local or a metadata service, which gives out this machine's credentials`,
      };
    }
    const where = `${host} by ${oneLine(effect.scheme)}, port ${effect.port}`;
    const inside = [...kinds].filter((kind) => kind !== "public").sort();
    if (inside.length > 0) {
      return {
        result: "ask",
        code: "reach-private-host",
        reason: `reaching ${where}, which is not on the internet but ${inside.map((kind) => names[kind]).join(" and ")}${labelWords(effect)}`,
      };
    }
    const reason = `reaching ${where}${labelWords(effect)}${originWords(flows, index)}`;
    return { result: "ask", code: "reach-host", reason };
  },
};

function hostProblem({ target, scheme, port, addresses }: ReachHost): string | null {
  if (!/^[a-z][a-z0-9+.-]{0,31}$/i.test(scheme)) return "has no scheme";
  if (!Number.isSafeInteger(port) || port < 1 || port > 65535) return "has no port between 1 and 65535";
  if (addresses.some((address) => addressKind(address) === null)) return "has an address that cannot be read";
  if (addressKind(target) !== null) return null;
  if (!hostName.test(target) || target.length > 253) return "is not a host name";
  const last = bareName(target).split(".").at(-1) ?? "";
  return /^(?:\d+|0x[0-9a-f]*)$/.test(last) ? "is an address in an unusual notation" : null;
}

const hostName =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;

const metadataNames: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.azure.internal",
]);

const names: Readonly<Record<AddressKind, string>> = {
  public: "public",
  loopback: "this machine (loopback)",
  private: "your own network (private address)",
  "link-local": "link-local",
  metadata: "a metadata service",
  reserved: "a reserved address",
};

function bareName(target: string): string {
  return target.toLowerCase().replace(/\.$/, "");
}

function kindsOf({ target, addresses }: ReachHost): readonly AddressKind[] {
  const name = bareName(target);
  const local: AddressKind[] = name === "localhost" || name.endsWith(".localhost") ? ["loopback"] : [];
  return [...local, ...[target, ...addresses].flatMap((text) => addressKind(text) ?? [])];
}

function labelWords({ label }: ReachHost): string {
  return label.secrecy === "public" ? "" : `, with ${label.secrecy} content`;
}

/** Who chose the address, where it is known and was not the owner. */
function originWords(flows: Facts["flows"], index: number): string {
  const origin = flows?.find(({ effectIndex }) => effectIndex === index)?.origin;
  if (origin === "foreign") return "; the address is from content of others";
  if (origin === "pasted") return "; the address stands only in words that were pasted";
  return origin === "agent" ? "; the address is the model's own" : "";
}
