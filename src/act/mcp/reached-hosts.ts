import type { ReachHost } from "../../signal/effect.ts";
import type { Licence } from "../../signal/facts.ts";
import type { Label } from "../../signal/label.ts";
import type { McpServer } from "../../signal/mcp-server.ts";
import { readHosts } from "../egress/host-port.ts";
import { placeOf } from "./server-pool.ts";

/**
 * The owner wrote the address of the server, or the hosts that it may reach: they may be reached, wherever
 * they are, except where credentials are given out.
 */
export function licencesOfEntry(reached: readonly ReachHost[]): readonly Licence[] {
  if (reached.length === 0) return [];
  return [
    {
      kind: "rule",
      name: "the server's entry in mcp.json",
      discharges: ["reach-host", "reach-private-host"],
      effectIndexes: reached.map((_, index) => index + 1),
    },
  ];
}

/**
 * The hosts that a call reaches. A server on this machine may pass what it is told to each host that it was
 * granted; the proxy looks up their addresses.
 */
export function reachedBy(
  server: McpServer,
  addresses: readonly string[],
  label: Label,
): readonly ReachHost[] {
  const place = placeOf(server);
  if (place !== null) return [reachServer(place, addresses, label)];
  const places = server.grants.hosts.flatMap((host) => readHosts(host)?.slice(0, 1) ?? []);
  const byHost = new Map(places.map(({ host, port }) => [host, port]));
  return [...byHost].map(([host, port]) => reachServer({ host, port, scheme: "https" }, [], label));
}

type Place = Omit<NonNullable<ReturnType<typeof placeOf>>, "url">;

/** The effect of reaching a server of the network. */
export function reachServer(
  { host, port, scheme }: Place,
  addresses: readonly string[],
  label: Label,
): ReachHost {
  return { kind: "reach-host", target: host, scheme, port, addresses, label, reversal: "final" };
}
