import type { z } from "zod";

/** Describes the first problem of a value and names its key. The text fits after "its" or "the". */
export function describeZodError(error: z.ZodError, whole: string): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${whole} does not fit`;
  const where = issue.path.length === 0 ? whole : issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return `${where} has the unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
  }
  return /^(?:is|has) /.test(issue.message)
    ? `${where} ${issue.message}`
    : `${where} does not fit: ${issue.message}`;
}
