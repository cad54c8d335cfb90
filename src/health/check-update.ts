import type { Environment } from "../settings/environment.ts";
import { describeError } from "../text/describe-error.ts";
import { findKeepingProblem } from "../update/keep-build.ts";
import type { HealthCheck } from "./health-check.ts";

/**
 * Says where this program runs on an installation itself, so that an update would break what runs, and why;
 * nothing where a start keeps its build.
 */
export function checkUpdate(installation: string | null, environment: Environment): readonly HealthCheck[] {
  const problem = installation === null ? null : findKeepingProblem(installation, environment);
  if (problem === null) return [];
  const { builds, refusal } = problem;
  const text = `an update would break what runs now: the build cannot be kept in ${builds} (${describeError(refusal)}). ${remedyOf(refusal)}, and start the program again. Until then stop the agent before you update.`;
  return [{ name: "updates", result: "finding", text }];
}

function remedyOf(refusal: Error): string {
  switch ("code" in refusal ? refusal.code : "") {
    case "ENOSPC":
    case "EDQUOT":
      return "Free some space there";
    case "EROFS":
      return "Make this disk writable, or set XDG_STATE_HOME to a folder on another one";
    case "EACCES":
    case "EPERM":
      return "Give this folder, and what is in it, to your user";
    default:
      return "Move what is in its place away";
  }
}
