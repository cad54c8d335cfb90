import { checkHealth, type HealthReport } from "../../health/check-health.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** Checks all that the agent depends on. Never throws: a check that fails is itself a finding. */
export async function diagnose(start: StartContext): Promise<HealthReport> {
  return checkHealth(start);
}
