import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import type { Action } from "./action.ts";
import type { ChangeCount } from "./count-diffs.ts";
import type { FileDiff } from "./file-diff.ts";

/** A call of a past turn, as the history of a session tells it. */
export type PastStep = {
  /** The id that its model gave it. */
  readonly call: string;
  readonly tool: string;
  readonly status: "success" | "error" | "not-done";
  readonly code: string;
  /** The gates that blocked it. */
  readonly gates: readonly string[];
  /** What the agent said before it. */
  readonly said: string;
  /** Null where only the outcome is told. */
  readonly action: Action | null;
  readonly content: Json;
  /** What it changed in files; null where that is not kept. */
  readonly changes: readonly FileDiff[] | null;
  /** How much it changed in files; null where that is not known. */
  readonly changed: ChangeCount | null;
  /** Whether what it changed was undone since; null where it was not. */
  readonly undone: Undone | null;
};

/** How much of what a call changed was undone. */
export type Undone = "whole" | "in-part";

/** That something was undone, in words. */
export function wordsOfUndone(undone: Undone): string {
  return undone === "whole" ? "undone" : "undone in part";
}

/** Reads a call of a history; null for anything else. */
export function pastStepOf(step: Json): PastStep | null {
  if (!isJsonObject(step)) return null;
  const text = (key: string): string => (typeof step[key] === "string" ? step[key] : "");
  const { action, changed, changes, gates, result = null } = step;
  const status = text("status");
  const undone = text("undone");
  if (status !== "success" && status !== "error" && status !== "not-done") return null;
  return {
    call: text("call"),
    tool: text("tool"),
    status,
    code: text("code"),
    gates: isJsonArray(gates) ? gates.filter((gate) => typeof gate === "string") : [],
    said: text("said"),
    action: action !== undefined && isJsonObject(action) ? actionOf(action) : null,
    content: result,
    changes: isJsonArray(changes) ? changes.flatMap((change) => diffOf(change) ?? []) : null,
    changed: changed !== undefined && isJsonObject(changed) ? countOf(changed) : null,
    undone: undone === "whole" || undone === "in-part" ? undone : null,
  };
}

/** Reads an action as a history tells it. */
export function actionOf({ target, payload, explanation }: JsonObject): Action {
  return {
    target: typeof target === "string" ? target : "",
    payload: payload !== undefined && isJsonObject(payload) ? payload : {},
    explanation: typeof explanation === "string" ? explanation : "",
  };
}

function countOf({ files, deleted, added, removed, uncounted }: JsonObject): ChangeCount | null {
  const isWhole =
    typeof files === "number" &&
    typeof deleted === "number" &&
    typeof added === "number" &&
    typeof removed === "number";
  if (!isWhole) return null;
  return { files, deleted, added, removed, ...(typeof uncounted === "number" ? { uncounted } : {}) };
}

function diffOf(change: Json): FileDiff | null {
  if (!isJsonObject(change)) return null;
  const { path, change: kind, added, removed, diff, left, rest = null, uncounted } = change;
  if (kind !== "create" && kind !== "replace" && kind !== "delete") return null;
  if (typeof path !== "string" || typeof diff !== "string") return null;
  if (typeof added !== "number" || typeof removed !== "number" || typeof left !== "number") return null;
  const { files, deleted } = isJsonObject(rest) ? rest : {};
  return {
    path,
    change: kind,
    added,
    removed,
    diff,
    left,
    ...(typeof files === "number" && typeof deleted === "number" ? { rest: { files, deleted } } : {}),
    ...(uncounted === true ? { uncounted } : {}),
  };
}
