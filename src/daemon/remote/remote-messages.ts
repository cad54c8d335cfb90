import { type OwnerCommand, recogniseCommand } from "../../perceive/commands.ts";
import { perceiveInput } from "../../perceive/perceive-input.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { joinedCode } from "../../signal/turn.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { NearestTexts, OwnerWords, UndeliveredAnswer } from "../agent/resources/agent.ts";

/** Whether words answer a question (`/approve TOKEN`, `/deny TOKEN`, `/always TOKEN`), and begin no turn of their own. */
export function isDecision(words: OwnerWords): boolean {
  const perceived = perceiveInput({
    id: "",
    clientId: null,
    session: words.session,
    source: words.source,
    person: "owner",
    at: 0,
    sensor: "user-input",
    payload: payloadOfWords(words),
  });
  const kind = perceived.ok ? recogniseCommand(perceived.signal)?.kind : undefined;
  return kind === "approve" || kind === "deny" || kind === "always";
}

/** Words as the event that carries them. */
export function wordsEvent(words: OwnerWords): JsonObject {
  return {
    type: "event",
    meta: { source: words.source, "session-id": words.session },
    payload: { sensor: "user-input", ...payloadOfWords(words) },
  };
}

function payloadOfWords({
  text,
  pasted = false,
  pastes = [],
  attachments = [],
  piped = "",
}: OwnerWords): JsonObject {
  return {
    text,
    ...(pasted ? { pasted } : {}),
    ...(pastes.length > 0 ? { pastes } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(piped === "" ? {} : { piped }),
  };
}

/** A command as the request that carries it. */
export function commandRequest(command: OwnerCommand, session: string): JsonObject {
  const { kind: action, ...given } = command;
  const rest = "request" in given ? given.request : given;
  const payload = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    type: "request",
    ...(session === "" ? {} : { meta: { "session-id": session } }),
    payload: { action, ...payload },
  };
}

/** Which session a client wants; `own`: only to see its own turns there. */
export type SessionRequest = {
  readonly name: string | null;
  readonly latest: boolean;
  readonly own: boolean;
};

/** Opens a session, or takes part in it again. */
export function sessionRequest(id: string, { name, latest, own }: SessionRequest): JsonObject {
  return {
    type: "request",
    id,
    payload: {
      action: "session",
      ...(name === null ? {} : { name }),
      ...(latest ? { latest } : {}),
      ...(own ? { own } : {}),
    },
  };
}

/** The id of the message that this one answers. */
export function replyId({ type, id, payload }: JsonObject): string | null {
  if (type === "response") return typeof id === "string" ? id : null;
  return type === "status" && isJsonObject(payload) && typeof payload["id"] === "string"
    ? payload["id"]
    : null;
}

/** Why a request was refused; null for any other reply, and where the daemon is closing: the next one is asked. */
export function refusalOf({ type, payload }: JsonObject): string | null {
  if (type !== "response" || !isJsonObject(payload)) return null;
  if (payload["outcome"] !== "refused" || payload["code"] === "closing") return null;
  return typeof payload["text"] === "string" ? payload["text"] : "";
}

/** A text of the meta of a message; null where there is none. */
export function metaText({ meta }: JsonObject, key: string): string | null {
  const value: Json | undefined = isJsonObject(meta) ? meta[key] : undefined;
  return typeof value === "string" ? value : null;
}

/** Null for an acceptance without a turn, which the words that the command came to follow; and where the daemon is closing: the next one is told. */
export function submitResultOf(message: JsonObject): SubmitResult | null {
  const { type, payload } = message;
  if (type === "status") {
    const turn = metaText(message, "turn-id");
    return turn === null
      ? null
      : { kind: "turn", turn, session: metaText(message, "session-id") ?? "", fresh: true };
  }
  if (!isJsonObject(payload)) return null;
  const text = typeof payload["text"] === "string" ? payload["text"] : "";
  const code = typeof payload["code"] === "string" ? payload["code"] : "";
  const refused = payload["outcome"] === "refused";
  if (refused && code === "closing") return null;
  if (refused) return { kind: "refused", code, text };
  const { data } = payload;
  return { kind: "said", code, text, ...(data === undefined ? {} : { data }) };
}

/** The number of the snapshot that was taken; null where a message tells none. */
export function snapshotOf({ payload }: JsonObject): string | null {
  const number = isJsonObject(payload) ? payload["snapshot"] : undefined;
  return typeof number === "string" ? number : null;
}

/** The texts that are nearest in meaning; null where a message tells none. */
export function nearestOf({ payload }: JsonObject): NearestTexts | null {
  if (!isJsonObject(payload) || payload["code"] !== "nearest") return null;
  const { near, text } = payload;
  const ofKind = (wanted: string): NearestTexts["notes"] =>
    (Array.isArray(near) ? near : []).flatMap((one: Json) => {
      if (!isJsonObject(one)) return [];
      const { kind, id, thousandths } = one;
      return kind === wanted && typeof id === "string" && typeof thousandths === "number"
        ? [{ id, deviations: thousandths / 1000 }]
        : [];
    });
  const problem = typeof text === "string" && text !== "" ? text : null;
  return { notes: ofKind("note"), said: ofKind("said"), problem };
}

/** What a turn ended with; null for an event that ends none. */
export function undeliveredAnswerOf(event: LoopEvent): UndeliveredAnswer | null {
  switch (event.type) {
    case "answered":
      return event.code === joinedCode ? null : { turn: event.turn, state: event.type, text: event.text };
    case "blocked":
    case "failed":
    case "stopped":
      return { turn: event.turn, state: event.type, text: event.reason };
    case "accepted":
    case "thinking":
    case "thought":
    case "text":
    case "proposed":
    case "verdict":
    case "output":
    case "outcome":
    case "approval-required":
      return null;
  }
}

/** What the daemon tells every client, which belongs to no session; null for every other message. */
export function announcementOf({ type, payload }: JsonObject): string | null {
  if (type !== "response" || !isJsonObject(payload) || payload["code"] !== "update") return null;
  return typeof payload["text"] === "string" ? payload["text"] : null;
}
