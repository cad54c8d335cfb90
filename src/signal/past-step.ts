import type { Action } from "./action.ts";
import type { FileDiff } from "./file-diff.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.ts";

/** A call of a past turn, as the history of a session tells it. */
export type PastStep = {
  readonly tool: string;
  readonly status: "success" | "error" | "not-done";
  readonly code: string;
  /** What the agent said before it. */
  readonly said: string;
  /** Null where only the outcome is told. */
  readonly action: Action | null;
  readonly content: Json;
  /** What it changed in files; null where that is not kept. */
  readonly changes: readonly FileDiff[] | null;
};

/** Reads a call of a history; null for anything else. */
export function pastStepOf(step: Json): PastStep | null {
  if (!isJsonObject(step)) return null;
  const text = (key: string): string => (typeof step[key] === "string" ? step[key] : "");
  const { action, changes, result = null } = step;
  const status = text("status");
  if (status !== "success" && status !== "error" && status !== "not-done") return null;
  return {
    tool: text("tool"),
    status,
    code: text("code"),
    said: text("said"),
    action: action !== undefined && isJsonObject(action) ? actionOf(action) : null,
    content: result,
    changes: isJsonArray(changes) ? changes.flatMap((change) => diffOf(change) ?? []) : null,
  };
}

function actionOf({ target, payload, explanation }: JsonObject): Action {
  return {
    target: typeof target === "string" ? target : "",
    payload: payload !== undefined && isJsonObject(payload) ? payload : {},
    explanation: typeof explanation === "string" ? explanation : "",
  };
}

function diffOf(change: Json): FileDiff | null {
  if (!isJsonObject(change)) return null;
  const { path, change: kind, added, removed, diff, left } = change;
  if (kind !== "create" && kind !== "replace" && kind !== "delete") return null;
  if (typeof path !== "string" || typeof diff !== "string") return null;
  if (typeof added !== "number" || typeof removed !== "number" || typeof left !== "number") return null;
  return { path, change: kind, added, removed, diff, left };
}
