import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { type Turn, withoutTold } from "../../signal/turn.ts";
import { canonicalJson, type Json } from "../../text/json.ts";
import { forgottenReason } from "./is-forgotten.ts";

/** A result that may be stored: secret content is replaced by a marker. */
export function redactResult(result: ToolResult): ToolResult {
  return result.label.secrecy === "secret" ? withoutContent(result, "secret") : result;
}

/** A turn that may be stored: the content of secret results is replaced by a marker. */
export function redactTurn(turn: Turn): Turn {
  const { told = [] } = turn;
  const isSecret = told.some(({ messages }) =>
    messages.some((message) => labelOf(message).secrecy === "secret"),
  );
  return mapResults(isSecret ? withoutTold(turn) : turn, redactResult);
}

function labelOf(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}

/** A result without its content if that is longer than the limit (characters of JSON). */
export function slimResult(result: ToolResult, limit: number): ToolResult {
  const { outcome } = result;
  if (outcome.status !== "success" || canonicalJson(outcome.content).length <= limit) return result;
  return withoutContent(result, "retention");
}

/** A turn with its words and without the contents of its large results. */
export function slimTurn(turn: Turn, limit: number): Turn {
  return mapResults(turn, (result) => slimResult(result, limit));
}

/** A result without its content: only the status of its outcome stays. */
export function eraseResult(result: ToolResult): ToolResult {
  return withoutContent(result, "forgotten");
}

function mapResults(turn: Turn, change: (result: ToolResult) => ToolResult): Turn {
  return {
    ...turn,
    messages: turn.messages.map((message) => {
      if (message.role !== "result") return message;
      const result = change(message.result);
      return result === message.result ? message : { ...message, result };
    }),
  };
}

/** What stands in the place of why a call failed or was refused. */
const whyLost = {
  secret: "The reason is not kept: it may name what is secret.",
  retention: "The reason is not kept: it was too long.",
  forgotten: forgottenReason,
};

function withoutContent(result: ToolResult, reason: keyof typeof whyLost): ToolResult {
  const marker: Json = { "not-kept": reason };
  if (result.outcome.status === "success") {
    return { ...result, outcome: { status: "success", content: marker } };
  }
  return { ...result, outcome: { ...result.outcome, message: whyLost[reason] } };
}
