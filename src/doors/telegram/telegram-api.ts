import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { type Agents, send } from "../../connect/send.ts";
import { describeError } from "../../text/describe-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import { oneLine } from "../../text/visible.ts";
import type { ChatFailure } from "../chat/chat-service.ts";

/**
 * What a method gave, or why it did not. `description`: what the service says of a refusal, by which some
 * refusals are told apart.
 */
export type ApiResult =
  | { readonly ok: true; readonly result: Json }
  | (ChatFailure & { readonly status: number | null; readonly description: string });

type Call = (method: string, given: JsonObject, cancel: AbortSignal) => Promise<ApiResult>;

/** Calls methods of the Bot API. The key is a part of their addresses and is in no result. */
export type TelegramApi = {
  readonly call: Call;
  /**
   * Calls of one and the same bot, also where the key is another one meanwhile. `bot`: the number with which
   * its key begins, which is the bot's own.
   */
  readonly asBot: () => { readonly ok: true; readonly bot: string; readonly call: Call } | ChatFailure;
  /** The bytes of a file whose path `getFile` gave; null where there are more than `most`. */
  readonly download: (
    path: string,
    most: number,
    cancel: AbortSignal,
  ) => Promise<{ readonly ok: true; readonly bytes: Uint8Array | null } | ChatFailure>;
  readonly close: () => void;
};

/** How the service is reached. `readKey` is asked for each call, since the vault may be locked again. */
export type TelegramPlace = {
  /** For tests: an address of this machine. */
  readonly address: string | null;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly readKey: () =>
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly reason: string };
};

const service = "https://api.telegram.org";
/** Bytes of an answer. */
const longestAnswer = 16_000_000;
/**
 * Milliseconds for a call beside what it waits on the other side, and seconds that one for updates waits
 * there.
 */
const patience = 20_000;
export const longPoll = 50;

const answerSchema = z.looseObject({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z
    .looseObject({
      retry_after: z.number().nonnegative().optional(),
      migrate_to_chat_id: z.int().transform(String).optional(),
    })
    .optional(),
});

/** Opens the way to the service. Throws for an address that is not of this machine. */
export function openTelegramApi(place: TelegramPlace): TelegramApi {
  if (place.address !== null && !/^http:\/\/127\.0\.0\.1:\d+$/.test(place.address))
    throw new Error(
      "TELEGRAM_ADDRESS is for tests: it must be http://127.0.0.1:PORT. Take it out of the settings.",
    );
  const agents: Agents = new Map();
  const callAt =
    (at: TelegramPlace): Call =>
    async (method, given, cancel) => {
      const wait = method === "getUpdates" ? longPoll * 1000 : 0;
      const asked = { path: `bot*/${method}`, body: JSON.stringify(given), wait, agents };
      const sent = await sendRequest(at, asked, cancel);
      if (!sent.ok) return sent;
      const text = await readAll(sent.answer, longestAnswer);
      if (text === null) return failure({ code: "unknown-outcome", reason: "its answer was cut" });
      return resultOf(sent.answer.statusCode ?? 0, text.toString("utf8"), sent.key);
    };
  return {
    call: callAt(place),
    asBot() {
      const key = place.readKey();
      if (!key.ok) return failure({ code: "no-access", reason: key.reason });
      const [bot = ""] = key.value.split(":");
      return { ok: true, bot, call: callAt({ ...place, readKey: () => key }) };
    },
    async download(path, most, cancel) {
      const asked = { path: `file/bot*/${path}`, body: null, wait: patience, agents };
      const sent = await sendRequest(place, asked, cancel);
      if (!sent.ok) return sent;
      const { answer } = sent;
      const isWrong = answer.statusCode !== 200;
      if (isWrong || Number(answer.headers["content-length"] ?? 0) > most) {
        answer.destroy();
        const reason = `the file was not given (${answer.statusCode})`;
        return isWrong ? failure({ code: "refused", reason }) : { ok: true, bytes: null };
      }
      const bytes = await readAll(answer, most);
      return bytes === null
        ? failure({ code: "try-later", reason: "the file was cut" })
        : { ok: true, bytes };
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

type Asked = {
  /** `*` stands for the key. */
  readonly path: string;
  readonly body: string | null;
  /** Milliseconds that the other side may wait. */
  readonly wait: number;
  readonly agents: Agents;
};

type Sent = { readonly ok: true; readonly answer: IncomingMessage; readonly key: string };

async function sendRequest(
  place: TelegramPlace,
  { path, body, wait, agents }: Asked,
  cancel: AbortSignal,
): Promise<Sent | (ApiResult & { readonly ok: false })> {
  const key = place.readKey();
  if (!key.ok) return failure({ code: "no-access", reason: key.reason });
  try {
    const answer = await send(
      {
        url: new URL(`${place.address ?? service}/${path.replace("*", () => key.value)}`),
        method: body === null ? "GET" : "POST",
        headers: body === null ? {} : { "content-type": "application/json" },
        body: body ?? undefined,
        addresses: null,
        isConfidential: true,
        agents,
        signal: AbortSignal.any([cancel, AbortSignal.timeout(wait + patience)]),
      },
      place.variables,
    );
    return { ok: true, answer, key: key.value };
  } catch (error) {
    return failure({
      code: codeOfFault(error),
      reason: `it cannot be reached (${wordsOf(describeError(error), key.value)})`,
    });
  }
}

/** The bytes of a stream; null where it ends before its end, or is longer. */
async function readAll(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of stream) {
      pieces.push(piece);
      size += piece.length;
      if (size > most) return null;
    }
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
  return Buffer.concat(pieces);
}

function resultOf(status: number, text: string, key: string): ApiResult {
  const body = parseJson(text);
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success || !isJsonObject(body)) {
    // A gateway in front of the service answers with a page.
    const code = status >= 500 ? "unknown-outcome" : "try-later";
    return failure({ code, reason: `it answered with ${status} and no result`, status });
  }
  const { ok, description = "", parameters } = parsed.data;
  if (ok) return { ok: true, result: body["result"] ?? null };
  const said = { status, description: wordsOf(description, key) };
  if (status === 429) {
    const after = (parameters?.retry_after ?? 1) * 1000;
    return failure({ code: "try-later", reason: "it asks to wait (429)", after, ...said });
  }
  if (status === 401 || status === 404)
    return failure({
      code: "no-access",
      reason:
        "it does not know the bot's token. Set the right one: passepartout gateway link telegram --token",
      ...said,
    });
  if (status === 409) {
    const isHook = /webhook/i.test(description);
    return failure({
      code: "try-later",
      reason: isHook
        ? "another program had this bot send what comes to an address of its own, a webhook (409). Take that away there (deleteWebhook), or give this agent a bot of its own."
        : "another program receives for this bot (409), and gets a part of what you say. Stop it, or give this agent a bot of its own.",
      isConflict: true,
      ...said,
    });
  }
  const movedTo = parameters?.migrate_to_chat_id;
  if (movedTo !== undefined)
    return failure({ code: "try-later", reason: "the group has another id now", movedTo, ...said });
  if (status >= 500) return failure({ code: "unknown-outcome", reason: `it failed (${status})`, ...said });
  return failure({
    code: "refused",
    reason: `it refused (${status}: ${said.description})`,
    ...said,
  });
}

type Fault = {
  readonly code: ChatFailure["code"];
  readonly reason: string;
  readonly after?: number | null;
  readonly movedTo?: string;
  readonly isConflict?: true;
  readonly status?: number;
  readonly description?: string;
};

function failure({
  code,
  reason,
  after = null,
  status,
  description = "",
  ...more
}: Fault): ApiResult & { readonly ok: false } {
  const rest = { ok: false as const, reason, status: status ?? null, description };
  return code === "try-later" ? { ...rest, ...more, code, after } : { ...rest, code };
}

/** A connection that never stood sent nothing. */
function codeOfFault(error: unknown): "try-later" | "unknown-outcome" {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const never = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"];
  return typeof code === "string" && never.includes(code) ? "try-later" : "unknown-outcome";
}

/** Words of others on a line of their own, without the key. */
function wordsOf(words: string, key: string): string {
  const masked = [key, encodeURIComponent(key)].reduce((all, one) => all.replaceAll(one, "[token]"), words);
  return oneLine(masked);
}
