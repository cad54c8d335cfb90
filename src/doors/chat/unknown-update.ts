import { isJsonObject, type JsonObject } from "../../text/json.ts";
import type { ChatUpdate } from "./chat-service.ts";

/** Characters that are kept of the names of fields. */
const longestKind = 300;

/**
 * An update that nobody here can read. What is kept of it is who sent it in which chat, and which fields it
 * has: nothing of what stands in them.
 */
export function unknownUpdate(
  id: string,
  body: JsonObject,
  from: { readonly chat: string; readonly sender: string } | null,
): ChatUpdate {
  const fields = Object.entries(body).map(([name, value]) =>
    isJsonObject(value) ? `${name} (${Object.keys(value).join(", ")})` : name,
  );
  const what = fields.join(", ").slice(0, longestKind);
  return { id, kind: "unknown", what, ...(from === null ? {} : { from }) };
}
