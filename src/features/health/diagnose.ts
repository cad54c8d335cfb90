import { checkHealth, type HealthReport } from "../../health/check-health.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { loadServerCheck } from "../servers/feature.ts";
import { loadSkillCheck } from "../skills/feature.ts";

/** Checks all that the agent depends on; with `servers`, whether the servers of tools answer, too. Never throws: a check that fails is itself a finding. */
export function diagnose(
  start: StartContext,
  { servers }: { readonly servers: boolean },
): Promise<HealthReport> {
  const checkServers = async () => (await loadServerCheck())(start);
  const checkMandatory = async () => (await loadSkillCheck())(start);
  return checkHealth(start, [
    ["skills", checkMandatory],
    ...(servers ? [["servers", checkServers] as const] : []),
  ]);
}
