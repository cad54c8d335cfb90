import type { Action } from "../../signal/action.ts";
import type { Effect } from "../../signal/effect.ts";
import type { FileDiff } from "../../signal/file-diff.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Offer } from "../../signal/offer.ts";
import type { TraceLine, Verdict } from "../../signal/verdict.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/** What an answer contains besides its text. */
export type AnswerDetails = {
  /** The source of the client. */
  readonly source: string;
  readonly rules: number;
  readonly pending: number;
  readonly focus: string | null;
  /** The trace of the turn's last verdict, or where no call was judged, of the answer's own; empty if there was none. */
  readonly trace: readonly TraceLine[];
};

/** The message that tells the clients of a session about an event of the loop. */
export function messageOf(event: LoopEvent, figures: AnswerDetails): JsonObject {
  const meta = { "session-id": event.session, "turn-id": event.turn };
  switch (event.type) {
    case "accepted":
      return { type: "status", meta, payload: { action: "accepted", id: event.id } };
    case "thinking":
      return { type: "status", meta, payload: { action: "thinking", depth: event.depth, text: event.text } };
    case "text":
      return { type: event.reset ? "stream-reset" : "stream-chunk", meta, payload: { text: event.text } };
    case "thought":
      return { type: "status", meta, payload: { action: "thought", text: event.text } };
    case "proposed":
      return {
        type: "status",
        meta,
        payload: { action: "proposed", "call-id": event.call, proposal: toJson(event.action) },
      };
    case "verdict":
      return {
        type: "status",
        meta,
        payload: {
          action: "judged",
          "call-id": event.call,
          verdict: event.verdict,
          reason: event.reason,
          effects: toJson(event.effects),
          ...(event.gates === undefined ? {} : { gates: event.gates }),
          ...(event.microseconds === undefined ? {} : { "duration-us": event.microseconds }),
        },
        "gate-trace": toJson(event.trace),
      };
    case "output":
      return { type: "status", meta, payload: { action: "output", "call-id": event.call, text: event.text } };
    case "approval-required":
      return question(meta, event);
    case "outcome":
      return { type: "event", meta, payload: outcome(event) };
    case "answered":
      return answer(
        meta,
        {
          text: event.text,
          outcome: "answered",
          ...(event.code === undefined ? {} : { code: event.code }),
          ...(event.plain === undefined ? {} : { plain: true }),
        },
        figures,
      );
    case "blocked":
    case "failed":
    case "stopped":
      return answer(meta, { text: event.reason, outcome: event.type, code: event.code }, figures);
  }
}

function outcome(event: Extract<LoopEvent, { readonly type: "outcome" }>): JsonObject {
  const { call, tool, milliseconds, changes } = event;
  const duration = milliseconds === undefined ? {} : { "duration-ms": milliseconds };
  const common = { "call-id": call, tool, ...duration };
  return event.status === "success"
    ? { sensor: "tool-output", ...common, result: event.content, ...keyOfChanges(changes) }
    : { sensor: "tool-error", ...common, message: String(event.content), code: event.code };
}

/** The additional message about a fault of the loop; null for every other event. */
export function loopErrorOf(event: LoopEvent): JsonObject | null {
  if (event.type !== "failed" || event.code !== "loop-error") return null;
  return {
    type: "event",
    meta: { "session-id": event.session, "turn-id": event.turn },
    payload: { sensor: "loop-error", message: event.reason, code: event.code },
  };
}

function question(
  meta: JsonObject,
  event: Extract<LoopEvent, { readonly type: "approval-required" }>,
): JsonObject {
  return {
    type: "event",
    level: "approval-required",
    meta,
    payload: {
      sensor: "approval-required",
      token: event.token,
      ...(event.question === undefined ? {} : { "question-id": event.question }),
      action: toJson(event.action),
      effects: toJson(event.effects),
      text: event.reason,
      ...keyOfChanges(event.changes),
      "expires-at-ms": event.expiresAt,
      ...(event.workspace === null ? {} : { workspace: event.workspace }),
      ...(event.endorsable === undefined ? {} : { endorsable: [...event.endorsable] }),
      ...(event.rule === undefined ? {} : { rule: event.rule }),
      ...(event.offers === undefined ? {} : { offers: event.offers.map((offer) => ({ ...offer })) }),
      ...(event.habit === undefined ? {} : { habit: event.habit }),
    },
    "gate-trace": toJson(event.trace),
  };
}

function keyOfChanges(changes: readonly FileDiff[] | undefined): JsonObject {
  return changes === undefined ? {} : { changes: toJson(changes) };
}

function answer(
  meta: JsonObject,
  said: JsonObject,
  { source, rules, pending, focus, trace }: AnswerDetails,
): JsonObject {
  const figures = {
    "rule-count": rules,
    "pending-count": pending,
    ...(focus === null ? {} : { "foveal-id": focus }),
  };
  return {
    type: "response",
    meta: { source, ...meta },
    payload: { action: "message", ...said, ...figures },
    ...(trace.length === 0 ? {} : { "gate-trace": toJson(trace) }),
  };
}

/** Turns types of `signal/` into JSON. They are JSON-shaped by construction; the compiler cannot know that. */
function toJson(value: Action | readonly Effect[] | readonly FileDiff[] | readonly TraceLine[]): Json {
  return JSON.parse(JSON.stringify(value));
}

/** The event that a message of the daemon was made from; null if there is none. */
export function eventOf(message: JsonObject): LoopEvent | null {
  const { type, meta, payload } = message;
  if (!isJsonObject(meta) || !isJsonObject(payload)) return null;
  const where = { session: textOf(meta["session-id"]), turn: textOf(meta["turn-id"]) };
  if (where.turn === "") return null;
  const text = textOf(payload["text"]);
  const call = textOf(payload["call-id"]);
  const trace = message["gate-trace"] as readonly TraceLine[] | undefined;
  switch (textOf(type)) {
    case "stream-chunk":
      return { type: "text", ...where, text, reset: false };
    case "stream-reset":
      return { type: "text", ...where, text, reset: true };
    case "status":
      switch (textOf(payload["action"])) {
        case "accepted":
          return { type: "accepted", ...where, id: textOf(payload["id"]) };
        case "thinking":
          return { type: "thinking", ...where, depth: Number(payload["depth"] ?? 0), text };
        case "thought":
          return { type: "thought", ...where, text };
        case "proposed":
          return { type: "proposed", ...where, call, action: payload["proposal"] as Action };
        case "output":
          return { type: "output", ...where, call, text };
        case "judged":
          return {
            type: "verdict",
            ...where,
            call,
            verdict: payload["verdict"] as Verdict["decision"],
            reason: textOf(payload["reason"]),
            effects: (payload["effects"] ?? []) as readonly Effect[],
            trace: trace ?? [],
            ...numberAt(payload, "gates", "gates"),
            ...numberAt(payload, "duration-us", "microseconds"),
          };
        default:
          return null;
      }
    case "event":
      return stepOf(payload, { where, call, text, trace: trace ?? [] });
    case "response": {
      const code = textOf(payload["code"]);
      const outcome = textOf(payload["outcome"]);
      if (outcome === "answered") {
        const plain = payload["plain"] === true ? ({ plain: true } as const) : {};
        return { type: outcome, ...where, text, ...(code === "" ? {} : { code }), ...plain };
      }
      if (outcome !== "blocked" && outcome !== "failed" && outcome !== "stopped") return null;
      return { type: outcome, ...where, code, reason: text };
    }
    default:
      return null;
  }
}

type About = {
  readonly where: { readonly session: string; readonly turn: string };
  readonly call: string;
  readonly text: string;
  readonly trace: readonly TraceLine[];
};

function stepOf(payload: JsonObject, { where, call, text, trace }: About): LoopEvent | null {
  const tool = textOf(payload["tool"]);
  switch (textOf(payload["sensor"])) {
    case "tool-output":
      return {
        type: "outcome",
        ...where,
        call,
        tool,
        status: "success",
        code: "",
        content: payload["result"] ?? null,
        ...numberAt(payload, "duration-ms", "milliseconds"),
        ...changesIn(payload),
      };
    case "tool-error": {
      const content = textOf(payload["message"]);
      return {
        type: "outcome",
        ...where,
        call,
        tool,
        status: "error",
        code: textOf(payload["code"]),
        content,
        ...numberAt(payload, "duration-ms", "milliseconds"),
      };
    }
    case "approval-required":
      return {
        type: "approval-required",
        ...where,
        token: textOf(payload["token"]),
        ...(typeof payload["question-id"] === "string" ? { question: payload["question-id"] } : {}),
        workspace: typeof payload["workspace"] === "string" ? payload["workspace"] : null,
        action: payload["action"] as Action,
        effects: (payload["effects"] ?? []) as readonly Effect[],
        trace,
        reason: text,
        ...changesIn(payload),
        expiresAt: Number(payload["expires-at-ms"] ?? 0),
        ...endorsableIn(payload),
        ...(typeof payload["rule"] === "string" ? { rule: payload["rule"] } : {}),
        ...offersIn(payload),
        ...(typeof payload["habit"] === "string" ? { habit: payload["habit"] } : {}),
      };
    default:
      return null;
  }
}

function numberAt<Key extends string>(payload: JsonObject, name: string, key: Key): { [K in Key]?: number } {
  const value = payload[name];
  return typeof value === "number" ? ({ [key]: value } as { [K in Key]?: number }) : {};
}

/** The offers whose effect this client knows. */
function offersIn({ offers }: JsonObject): { readonly offers?: readonly Offer[] } {
  if (!isJsonArray(offers)) return {};
  return {
    offers: offers.flatMap((offer): readonly Offer[] => {
      if (!isJsonObject(offer) || !isJsonArray(offer["words"])) return [];
      const words = offer["words"].filter((line) => typeof line === "string");
      const { id, effect } = offer;
      if (id === "value" && effect === "endorse") return [{ id, effect, words }];
      return id === "rule" && effect === "keep-rule" ? [{ id, effect, words }] : [];
    }),
  };
}

function endorsableIn({ endorsable }: JsonObject): { readonly endorsable?: readonly string[] } {
  return isJsonArray(endorsable)
    ? { endorsable: endorsable.filter((value) => typeof value === "string") }
    : {};
}

/** Empty lists and texts are absent on the wire. */
function changesIn(payload: JsonObject): { readonly changes?: readonly FileDiff[] } {
  const changes = payload["changes"];
  return Array.isArray(changes) ? { changes: changes as unknown as readonly FileDiff[] } : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
