import { checkHealth, type HealthReport, healthOf } from "../../health/check-health.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** Checks all that the agent depends on; with `servers`, whether the servers of tools answer, too. Never throws: a check that fails is itself a finding. */
export async function diagnose(
  start: StartContext,
  { servers }: { readonly servers: boolean },
): Promise<HealthReport> {
  const report = await checkHealth(start);
  if (!servers) return report;
  const { checkServers } = await import("./check-servers.ts");
  const checks = [...report.checks, ...(await checkServers(start))];
  return { health: healthOf(checks), checks };
}
