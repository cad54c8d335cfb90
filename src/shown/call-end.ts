import { callsUsedUp, needsOwner } from "../signal/jobs/call-caps.ts";
import { isJsonObject, type Json } from "../text/json.ts";

/** What a call came to, in a person's words: the same while it happens and afterwards. */
export type CallEnd =
  | "done"
  | "failed"
  | "blocked"
  | "denied"
  | "stopped"
  | "put off"
  | "not done"
  | "not known";

/** The ends of calls by the code of their result; every other code is that of a failure. */
const ends: ReadonlyMap<string, CallEnd> = new Map([
  ["blocked", "blocked"],
  ["denied", "denied"],
  ["denied-by-owner", "denied"],
  ["stopped", "stopped"],
  ["cancelled", "stopped"],
  ["changed", "not done"],
  ["not-run", "not done"],
  ["taken-back", "not done"],
  [needsOwner, "not done"],
  [callsUsedUp, "not done"],
  ["unknown", "not known"],
  ["cut-off", "not known"],
]);

/** The result of a call, as events and histories tell it. */
export type CallResult = {
  readonly status: "success" | "error" | "not-done";
  readonly code: string;
  readonly content: Json;
};

/** What a call came to. */
export function endOfCall({ status, code, content }: CallResult): CallEnd {
  if (status === "not-done") return "not done";
  if (status === "error") return ends.get(code) ?? "failed";
  const waits = isJsonObject(content) && content["waiting"] === true && typeof content["path"] === "string";
  return waits ? "put off" : "done";
}

/** The codes of calls that did not run, whose result is words for the model alone. */
const untold: ReadonlySet<string> = new Set(["denied-by-owner", "not-run"]);

/** What a person sees of a result. */
export function shownContent({ code, content }: Pick<CallResult, "code" | "content">): Json {
  if (untold.has(code)) return null;
  return code === "blocked" && typeof content === "string" ? content.replace(/^Not allowed: /, "") : content;
}
