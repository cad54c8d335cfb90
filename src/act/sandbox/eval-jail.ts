import * as z from "zod";
import type { JailReply } from "../../signal/jail-work.ts";
import type { Outcome } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import type { Json } from "../../text/json.ts";
import { type JailThreads, usualMemory } from "./jail-threads.ts";

/** The limits of code in the jail: time in ms, memory in bytes, characters of the value and of the output. */
export type JailLimits = {
  readonly milliseconds: number;
  readonly memoryBytes: number;
  readonly maxCharacters: number;
};

/** Two seconds, 64 MB, 100,000 characters. */
export const defaultJailLimits: JailLimits = {
  milliseconds: 2000,
  memoryBytes: usualMemory,
  maxCharacters: 100_000,
};

/** Evaluates JavaScript in a jail of its own, which always ends. Errors, limits and cancellation are outcomes. */
export async function runInJail(
  {
    threads,
    code,
    limits,
  }: { readonly threads: JailThreads; readonly code: string; readonly limits: JailLimits },
  cancel: AbortSignal,
): Promise<Outcome> {
  if (cancel.aborted) return stopped;
  try {
    const jail = await threads.take(limits.memoryBytes, cancel);
    const reply = await jail.request({ kind: "evaluate", code }, limits, cancel);
    await jail.end();
    return outcomeOf(reply, limits);
  } catch (error) {
    return cancel.aborted ? stopped : crashed(error instanceof Error ? error.message : String(error));
  }
}

const stopped: Outcome = { status: "error", code: "cancelled", message: "The evaluation was stopped." };

function outOfTime({ milliseconds }: JailLimits): Outcome {
  return failure({
    code: "time-limit",
    message: `The evaluation took longer than ${milliseconds} ms and was ended. Evaluate less at once.`,
  });
}

function outOfMemory({ memoryBytes }: JailLimits): Outcome {
  return failure({
    code: "memory-limit",
    message: `The evaluation needed more than ${memoryBytes} bytes of memory and was ended. Evaluate less at once.`,
  });
}

function crashed(words: string): Outcome {
  return failure({ code: "jail-failed", message: `The evaluation failed: ${beginOf(words, 500)}.` });
}

/** What came of an evaluation. */
export function outcomeOf(reply: JailReply, limits: JailLimits): Outcome {
  if (reply.ok) return successOf(reply, limits);
  switch (reply.code) {
    case "time-limit":
      return outOfTime(limits);
    case "memory-limit":
      return outOfMemory(limits);
    case "cancelled":
      return stopped;
    case "jail-failed":
      return crashed(reply.message);
    case "thrown": {
      const printed =
        reply.logs.length === 0 ? "" : `\nPrinted before: ${reply.logs.join("\n").slice(0, 2000)}`;
      return failure({ code: "eval-error", message: `${reply.message}${printed}` });
    }
    default:
      return reply.code satisfies never;
  }
}

function successOf({ json, logs }: JailReply & { readonly ok: true }, limits: JailLimits): Outcome {
  const cut = json.length > limits.maxCharacters;
  const value = cut ? json.slice(0, limits.maxCharacters) : parseValue(json);
  const note = `The value is longer than ${limits.maxCharacters} characters; its JSON is cut.`;
  return success({ value, logs, ...(cut ? { note } : {}) });
}

function parseValue(json: string): Json {
  return z.json().parse(JSON.parse(json));
}
