import { keyOfSubTask } from "../../../act/flow/key-of-sub-task.ts";
import type { Call } from "../../../signal/action.ts";
import type { Signal } from "../../../signal/signal.ts";
import { delegateName, subTaskOf } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";
import { isJsonArray, isJsonObject } from "../../../text/json.ts";

/**
 * Tells how many results a turn had when a model gave the answer that began a sub-task, or the one that this
 * is a part of: it cannot have made them. 0 for all else.
 */
export function placesOfSubTasks({ id, signal, messages }: Turn): (other: Signal) => number {
  const places = new Map<string, number>();
  // A model may use the id of a call again: its first use counts.
  const firstOf = new Map<string, number>();
  let results = 0;
  for (const [at, message] of messages.entries()) {
    if (message.role === "attachment") results += 1;
    if (message.role === "result" && message.result.outcome.status === "success") results += 1;
    if (message.role !== "assistant") continue;
    for (const call of message.calls) {
      const place = firstOf.get(call.id) ?? results;
      firstOf.set(call.id, place);
      for (const key of keysOf(id, call, at)) if (!places.has(key)) places.set(key, place);
    }
  }
  const level = subTaskOf(signal)?.level ?? 0;
  return (other) => {
    const begun = subTaskOf(other)?.caps[level]?.task.split("/").at(-1) ?? "";
    return places.get(begun) ?? 0;
  };
}

/**
 * The keys that the sub-tasks of a call can have: an answer that was rejected has a message, and is no
 * level of depth.
 */
function keysOf(turn: string, { id, action: { payload } }: Call, mostDepth: number): readonly string[] {
  const { tool, args } = payload;
  const tasks = isJsonObject(args) ? args["tasks"] : undefined;
  if (tool !== delegateName || !isJsonArray(tasks)) return [];
  return Array.from({ length: mostDepth + 1 }, (_, depth) =>
    tasks.map((_task, index) => keyOfSubTask(turn, `${depth}/${id}`, index)),
  ).flat();
}
