import type { HealthCheck } from "../../health/health-check.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { askServer, type ListedServer, listServers } from "./mcp-servers.ts";

/** Says which servers of the Model Context Protocol answer. Only those that the owner accepted are started or reached; no tool is called. */
export async function checkServers(start: StartContext): Promise<readonly HealthCheck[]> {
  const { servers, problems } = await listServers(start);
  const own = problems.filter((problem) => !problem.includes("/mcp.json"));
  return [
    ...own.map((text): HealthCheck => ({ name: "servers", result: "finding", text })),
    ...(await Promise.all(servers.map((server) => checkServer(start, server)))),
  ];
}

async function checkServer(
  start: StartContext,
  { name, state, tools, code }: ListedServer,
): Promise<HealthCheck> {
  const finding = (text: string): HealthCheck => ({ name: "servers", result: "finding", text });
  const accept = `passepartout mcp accept ${name}`;
  if (state === "untrusted-folder")
    return { name: "servers", result: "ok", text: `${name} is not used: you do not trust its folder` };
  if (state === "not-accepted") return finding(`${name} is not accepted yet, so it is not used: ${accept}`);
  if (state === "entry-changed") return finding(`the entry of ${name} changed, so it is not used: ${accept}`);
  const offer = await askServer(start, name, { asAccepted: true });
  if (!offer.ok) return finding(offer.reason);
  if (offer.changes.length > 0)
    return finding(`${name} answers, and offers other tools than you accepted: ${accept}`);
  const unknown = code.filter(({ isWhole }) => !isWhole).map(({ folder }) => folder);
  const aside =
    unknown.length === 0
      ? ""
      : `; it may load code in ${unknown.join(", ")}, which is more than is compared at its start`;
  return { name: "servers", result: "ok", text: `${name} answers, with ${countOf(tools.length)}${aside}` };
}

function countOf(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}
