import { createHash } from "node:crypto";
import { canonicalJson } from "../text/json.ts";

/** The SHA-256 of a value as canonical JSON. */
export function jsonDigest(value: Parameters<typeof canonicalJson>[0]): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
