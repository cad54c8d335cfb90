import type { LastExchange, SessionDescription } from "../../shown/session-description.ts";
import { isTurnState } from "../../signal/turn.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/** What is said of a session that was not described: by a daemon of an earlier version, or to a client that sees its own turns alone. */
const unknownSession: SessionDescription = {
  workspace: null,
  isTrusted: false,
  orders: null,
  hasModel: true,
  recovered: [],
  last: null,
};

/** The keys that describe a session to the client that opened it. */
export function describingKeys({
  workspace,
  isTrusted,
  orders,
  hasModel,
  recovered,
  last,
}: SessionDescription): JsonObject {
  return {
    ...(workspace === null ? {} : { workspace }),
    ...(isTrusted ? { trusted: isTrusted } : {}),
    ...(orders === null ? {} : { orders }),
    ...(hasModel ? {} : { "no-model": true }),
    ...(recovered.length === 0 ? {} : { recovered: recovered.map((text) => ({ text })) }),
    ...(last === null
      ? {}
      : {
          "last-turn-id": last.turn,
          "last-state": last.state,
          ...(last.isJob ? { "last-of-job": true } : {}),
          "last-words": last.words.text,
          "last-words-left": last.words.left,
          "last-answer": last.answer.text,
          "last-answer-left": last.answer.left,
        }),
  };
}

/** The description that such keys hold. */
export function descriptionOf({ payload }: JsonObject): SessionDescription {
  if (payload === undefined || !isJsonObject(payload)) return unknownSession;
  const { workspace, trusted, orders, "no-model": lacksModel, recovered } = payload;
  return {
    workspace: typeof workspace === "string" ? workspace : null,
    isTrusted: trusted === true,
    orders: typeof orders === "string" ? orders : null,
    hasModel: lacksModel !== true,
    recovered: textsOf(recovered ?? null),
    last: lastOf(payload),
  };
}

function textsOf(value: Json): readonly string[] {
  if (!isJsonArray(value)) return [];
  const texts = value.map((one) => (isJsonObject(one) ? one["text"] : null));
  return texts.filter((text) => typeof text === "string");
}

function lastOf(payload: JsonObject): LastExchange | null {
  const { "last-turn-id": turn, "last-state": state } = payload;
  if (typeof turn !== "string" || typeof state !== "string" || !isTurnState(state)) return null;
  const excerpt = (key: string) => {
    const [text, left] = [payload[key], payload[`${key}-left`]];
    return { text: typeof text === "string" ? text : "", left: typeof left === "number" ? left : 0 };
  };
  const isJob = payload["last-of-job"] === true;
  return { isJob, turn, state, words: excerpt("last-words"), answer: excerpt("last-answer") };
}
