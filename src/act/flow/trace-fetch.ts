import type { ServiceAct } from "../../signal/effect.ts";
import type { FlowOrigin } from "../../signal/facts.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { forbidsSomething, namesAddress } from "./names-address.ts";
import { traceCall } from "./trace-call.ts";

/** The built-in tools that read what an address can stand in. */
const acts: ReadonlyMap<string, ServiceAct> = new Map([
  ...["read-file", "search-files", "list-files", "recall", "agenda", "backlinks"].map(
    (name) => [name, "read"] as const,
  ),
  ["fetch-url", "fetch"],
]);

/**
 * Finds where an address comes from that is to be read: the owner endorsed its host, typed it, or named the file or page whose link it is; else it is of others or
 * the model's own. A link of a named source does not count beside words that forbid anything.
 */
export function traceFetch(url: URL, typed: string, sources: TurnSources): FlowOrigin {
  if (sources.endorsed?.some(({ argument, value }) => argument === "url" && value === url.origin) === true)
    return "endorsed";
  if (namesAddress(sources.words, url.href)) return "words";
  const call = {
    tool: "fetch-url",
    act: "fetch",
    args: { url: typed },
    destinations: new Set(["url"]),
    critical: new Set<string>(),
  } as const;
  const origin = traceCall(call, { ...sources, contacts: [] }, (tool) => acts.get(tool) ?? null).flows[0]
    ?.origin;
  if (origin === "link" && !forbidsSomething(sources.words)) return "link";
  return origin === "link" || origin === "foreign" ? "foreign" : "agent";
}
