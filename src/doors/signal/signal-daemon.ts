import { z } from "zod";
import { type Agents, send } from "../../connect/send.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { greatest } from "../../text/lists.ts";
import { parseJson } from "../../text/parse-json.ts";
import { oneLine } from "../../text/visible.ts";
import type { ChatFailure } from "../chat/chat-service.ts";
import { askSocket, socketProblem } from "./ask-socket.ts";

/**
 * Where signal-cli's daemon listens on this machine, the path of a socket or an address of HTTP, and the
 * number
 * that it serves.
 */
export type DaemonPlace = { readonly address: string; readonly number: string };

/**
 * Reads what the vault keeps of it: an address and a number. Null for anything else, and for another machine.
 */
export function readPlace(key: string): DaemonPlace | null {
  const [, path, owner] = /^(\/\S{1,100})\s+(\+[1-9]\d{5,14})$/.exec(key.trim()) ?? [];
  if (path !== undefined && owner !== undefined) return { address: path, number: owner };
  const [, address, number] =
    /^(?:http:\/\/)?((?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5})\/?\s+(\+[1-9]\d{5,14})$/.exec(key.trim()) ??
    [];
  // Any user of the machine could listen at the other address that the name may lead to.
  const host = address?.replace("localhost", "127.0.0.1");
  return host === undefined || number === undefined ? null : { address: `http://${host}`, number };
}

/**
 * What a method gave, or why it did not. `rpc`: the daemon's own number for the error; null where it said
 * none. `challenge`: what a person has to answer before Signal takes more.
 */
export type DaemonResult =
  | { readonly ok: true; readonly result: Json }
  | (ChatFailure & { readonly rpc: number | null; readonly challenge?: string });

/** Calls methods of the daemon. */
export type SignalDaemon = {
  /**
   * `patience`: milliseconds after which a call is given up, which signal-cli does not notice; null for as
   * long
   * as the connection stands.
   */
  readonly call: (
    method: string,
    params: JsonObject,
    given?: { readonly patience?: number | null; readonly cancel?: AbortSignal },
  ) => Promise<DaemonResult>;
  readonly close: () => void;
};

/** Bytes of an answer, and milliseconds for a call that waits for nobody else. */
const longestAnswer = 32_000_000;
const usualPatience = 60_000;

/** Milliseconds between two tries at somebody whose safety number the owner has not compared. */
const trustPause = 600_000;

/** The numbers of errors, as signal-cli has them beside those of JSON-RPC. */
export const rpcErrors = {
  user: -1,
  network: -3,
  untrusted: -4,
  rateLimit: -5,
  captcha: -6,
  unknownMethod: -32_601,
  wrongParameters: -32_602,
} as const;

const answerSchema = z.looseObject({
  error: z
    .looseObject({ code: z.int(), message: z.string().nullable(), data: z.json().optional() })
    .nullish(),
});

/** Opens the way to a daemon. No proxy is asked: it is on this machine. */
export function openSignalDaemon({ address }: Pick<DaemonPlace, "address">): SignalDaemon {
  const agents: Agents = new Map();
  const ids = { last: 0 };
  return {
    async call(method, params, { patience = usualPatience, cancel } = {}) {
      ids.last += 1;
      const id = ids.last;
      const body = JSON.stringify({ jsonrpc: "2.0", method, params, id });
      const limits = patience === null ? [] : [AbortSignal.timeout(patience)];
      const signal = AbortSignal.any([...limits, ...(cancel === undefined ? [] : [cancel])]);
      const isSocket = address.startsWith("/");
      const problem = isSocket ? socketProblem(address) : null;
      if (problem !== null) return failure("no-access", problem);
      try {
        const { status, text } = isSocket
          ? { status: 200, text: await askSocket(address, { body, id, most: longestAnswer, signal }) }
          : await askHttp(address, { body, agents, signal });
        return text === null
          ? failure("unknown-outcome", "signal-cli's answer was cut")
          : resultOf(status, text);
      } catch (error) {
        return failureOf(error, address);
      }
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

type HttpRequest = { readonly body: string; readonly agents: Agents; readonly signal: AbortSignal };

async function askHttp(address: string, { body, agents, signal }: HttpRequest) {
  const answer = await send(
    {
      url: new URL(`${address}/api/v1/rpc`),
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      addresses: null,
      isConfidential: true,
      agents,
      signal,
    },
    {},
  );
  return { status: answer.statusCode ?? 0, text: await readAll(answer) };
}

/** Null where it is too long. Throws where it is cut. */
async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    size += piece.length;
    if (size > longestAnswer) return null;
  }
  return Buffer.concat(pieces).toString("utf8");
}

function failureOf(error: unknown, address: string): DaemonResult {
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EACCES")
    return failure("no-access", `this user may not use ${address}: run signal-cli's daemon as the same user`);
  return code === "ECONNREFUSED" || code === "ENOENT"
    ? failure("try-later", `nothing listens at ${address}: is signal-cli's daemon running?`)
    : failure("unknown-outcome", `signal-cli cannot be reached at ${address} (${oneLine(words)})`);
}

function resultOf(status: number, text: string): DaemonResult {
  const body = parseJson(text);
  const parsed = answerSchema.safeParse(body);
  if (status === 404 || status === 405 || status === 421)
    return failure("no-access", `what listens there is no signal-cli that takes this address (${status})`);
  if (!isJsonObject(body) || !parsed.success || (status !== 200 && status !== 201)) {
    const code = status >= 500 ? "unknown-outcome" : "try-later";
    return failure(code, `signal-cli answered with ${status} and no result`);
  }
  const { error } = parsed.data;
  if (error === undefined || error === null) return { ok: true, result: body["result"] ?? null };
  return failureOfError(error.code, oneLine(error.message ?? "no reason"), error.data ?? null);
}

function failureOfError(rpc: number, said: string, data: Json): DaemonResult {
  const reason = `signal-cli says: ${said}`;
  const challenge = challengeOf(data);
  if (challenge !== null)
    return { ok: false, code: "try-later", reason, after: secondsOf(data) * 1000, rpc, challenge };
  switch (rpc) {
    case rpcErrors.network:
      return failure("try-later", reason, rpc);
    case rpcErrors.rateLimit:
      return { ok: false, code: "try-later", reason, after: secondsOf(data) * 1000, rpc };
    case rpcErrors.unknownMethod:
    case rpcErrors.wrongParameters:
      return failure("no-access", reason, rpc);
    case rpcErrors.untrusted:
      return { ok: false, code: "try-later", reason, after: trustPause, rpc };
    case rpcErrors.user:
      return resultsOf(data).some(({ type }) => type === "NETWORK_FAILURE")
        ? failure("try-later", reason, rpc)
        : failure("refused", reason, rpc);
    case rpcErrors.captcha:
      return failure("refused", reason, rpc);
    default:
      // An error inside of signal-cli: nobody knows how far it came.
      return failure("unknown-outcome", reason, rpc);
  }
}

const dataSchema = z.looseObject({
  response: z.looseObject({
    results: z.array(
      z.looseObject({
        type: z.string(),
        retryAfterSeconds: z.number().nullish(),
        token: z.string().nullish(),
      }),
    ),
  }),
});

/** What became of a message for each who was to get it. */
function resultsOf(data: Json): z.infer<typeof dataSchema>["response"]["results"] {
  const read = dataSchema.safeParse(data);
  return read.success ? read.data.response.results : [];
}

/** What Signal wants an answer to before it takes more; null where it wants none. */
function challengeOf(data: Json): string | null {
  const token = resultsOf(data).find((one) => typeof one.token === "string")?.token ?? null;
  return token === null ? null : oneLine(token);
}

/** Seconds that the service asks to wait; a minute where it does not say. */
function secondsOf(data: Json): number {
  return greatest([...resultsOf(data).map(({ retryAfterSeconds }) => retryAfterSeconds ?? 60), 1]);
}

function failure(
  code: ChatFailure["code"],
  reason: string,
  rpc: number | null = null,
): DaemonResult & { readonly ok: false } {
  const rest = { ok: false as const, reason, rpc };
  return code === "try-later" ? { ...rest, code, after: null } : { ...rest, code };
}
