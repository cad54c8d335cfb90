import { advisories, advisoriesDay } from "./advisories.ts";
import type { HealthCheck } from "./health-check.ts";
import { openAdvisories } from "./open-advisories.ts";

/**
 * Compares the Node that runs this with the known advisories. The libraries are part of the build, and were
 * compared before it.
 */
export function checkRuntime(version: string): HealthCheck {
  const name = "runtime";
  const open = openAdvisories("node", version);
  if (open.length === 0)
    return {
      name,
      result: "ok",
      text: `Node ${version}; none of the ${advisories.length} advisories known on ${advisoriesDay} concerns it or the libraries of this build`,
    };
  const listed = open.map(
    ({ id, about, avoided }) => `${id} (${avoided === undefined ? [about] : [about, avoided].join("; ")})`,
  );
  const ends = open.flatMap(({ affected }) => affected.map(({ fixed }) => fixed ?? ""));
  const fixed = [...new Set(ends)].filter((end) => Number.parseInt(end, 10) >= 24);
  const text = `Node ${version} has known faults: ${listed.join(", ")}. Install Node ${fixed.join(", or ")}, or newer, and start passepartout again.`;
  return { name, result: "finding", text };
}
