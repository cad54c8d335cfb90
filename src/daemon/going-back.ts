import type { OwnerCommand } from "../perceive/commands.ts";
import type { Json, JsonObject } from "../text/json.ts";

/** The command of a request for the moments of a session, or for what was said in one of them. */
export function momentsOf({ turn }: JsonObject): OwnerCommand {
  const named = textOrNull(turn);
  return { kind: "rewind", turn: named, what: "all", preview: named === null ? false : "said" };
}

/** The command of a request to go back in a session. */
export function rewindOf({ turn, what, preview }: JsonObject): OwnerCommand {
  const part = what === "words" || what === "files" ? what : "all";
  return { kind: "rewind", turn: textOrNull(turn), what: part, preview: preview === true };
}

/** The command of a request about what grew from a source: to show it, or to take it back. Null where it names none. */
export function derivedOf(action: "derived" | "forget-derived", payload: JsonObject): OwnerCommand | null {
  const source = textOrNull(payload["source"]);
  if (source === null) return null;
  if (action === "derived") return { kind: action, source };
  return { kind: action, source, undoable: payload["undoable"] === true, seen: textOrNull(payload["seen"]) };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
