import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "../text/json.ts";

/** SHA-256 in hex of a text's UTF-8 bytes, or of bytes. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 in hex over canonical JSON: equal values have equal digests. */
export function digestOf(value: Json): string {
  return sha256(canonicalJson(value));
}
