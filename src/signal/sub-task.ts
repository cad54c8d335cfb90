import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import type { Signal } from "./signal.ts";

/** The name of the tool that begins sub-tasks. */
export const delegateName = "delegate";

/** What a sub-task may use with all its parts: a sum for models, in millionths of a dollar, and answers of a model. `task` is its place: its key, behind those of the sub-tasks that it is a part of. */
export type SubTaskCap = { readonly task: string; readonly microdollars: number; readonly calls: number };

/** A sub-task: what its turn may do at most, which is a part of what the turn may that began it. It stands in the payload of its signal, which only the daemon makes. */
export type SubTask = {
  /** The turn at the beginning of the chain, which the owner or a job began, with its session: they pay for the models. */
  readonly root: string;
  readonly rootSession: string;
  /** 1 for a sub-task of that turn, 2 for one of a sub-task. */
  readonly level: number;
  /** The names of the tools that it may call. */
  readonly tools: readonly string[];
  /** The folder outside of which it touches nothing; null where it has that of the session. */
  readonly folder: string | null;
  /** The workspace of the session that began it: rules and servers are those of this folder. */
  readonly workspace: string | null;
  /** The answers of a model that it may take. */
  readonly calls: number;
  /** Its own cap, and those of the sub-tasks that it is a part of; its own is the last. */
  readonly caps: readonly SubTaskCap[];
};

/** The sub-task that a signal begins; null for any other signal. One that cannot be read may do nothing. */
export function subTaskOf({ sensor, payload }: Pick<Signal, "sensor" | "payload">): SubTask | null {
  return sensor === "sub-task" ? readSubTask(payload["subTask"] ?? null) : null;
}

/** The turn at the beginning of the chain of sub-tasks that a turn belongs to: often the turn itself. */
export function rootOf({ id, signal }: { readonly id: string; readonly signal: Signal }): string {
  return subTaskOf(signal)?.root ?? id;
}

/** A sub-task as it stands in a payload. */
export function writeSubTask(task: SubTask): JsonObject {
  return { ...task, caps: task.caps.map((cap) => ({ ...cap })) };
}

/** The key of a sub-task: its place behind all others that it is a part of. */
export function placeOfSubTask({ caps }: SubTask): string {
  return caps.at(-1)?.task ?? "";
}

/** Reads a sub-task. What is missing of it is nothing that it may do. */
export function readSubTask(value: Json): SubTask {
  const given = isJsonObject(value) ? value : {};
  const calls = numberOf(given["calls"], 0);
  return {
    root: textOf(given["root"]),
    rootSession: textOf(given["rootSession"]),
    level: numberOf(given["level"], Number.MAX_SAFE_INTEGER),
    tools: listOf(given["tools"]).map(textOf),
    folder: typeof given["folder"] === "string" ? given["folder"] : null,
    workspace: typeof given["workspace"] === "string" ? given["workspace"] : null,
    calls,
    caps: listOf(given["caps"]).map((cap) => {
      const one = isJsonObject(cap) ? cap : {};
      return {
        task: textOf(one["task"]),
        microdollars: numberOf(one["microdollars"], 0),
        calls: numberOf(one["calls"], calls),
      };
    }),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function listOf(value: Json | undefined): readonly Json[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}
