import { proxyFaultIn } from "../../connect/send.ts";
import { shorten } from "../../text/cut-text.ts";
import type { FailureCode, ModelFailure } from "../model/model-port.ts";
import { connectionFailure } from "./connection-failure.ts";
import { formatWait } from "./format-wait.ts";

/** What is known about the response to one request. */
export type ResponseInfo = {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly contentType: string;
  /** The begin of the body. */
  readonly head: string;
  /** Whether part of an answer was received. */
  readonly begun: boolean;
};

const longestMessage = 200;
/** Characters of what a provider sent in place of an answer that are told. */
const longestHead = 60;
const silent = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const tooLong =
  /context.?length|context.?(?:window|size)|maximum context|prompt is too long|too many (?:input )?tokens|input token count|request too large/i;
const spent =
  /insufficient_quota|billing|credit balance|exceeded your (?:current )?quota|insufficient (?:credits|balance|funds)|out of credits/i;
const unknownModel =
  /model_not_found|no such model|model\b[^.]{0,120}\b(?:not found|does not exist|is not supported|not available)|(?:unknown|invalid) model\b|not a valid model|not_found_error.{0,40}model|models\/\S+ is not found/i;
const filterWords =
  /content.?filter|content management policy|content.?policy|moderation|flagged (?:by|as)|\b(?:input|prompt|content|request)\b[^.]{0,60}\b(?:flagged|usage polic(?:y|ies))|guardrail|prohibited.content|(?:inappropriate|sensitive|unsafe) content/i;

/** Classifies a failure. `error` is what the provider's package threw or streamed; `now` is needed for dates in headers. */
export function failureOf(error: unknown, response: ResponseInfo, now: number): ModelFailure {
  const details = readError(error);
  const status = details.status ?? response.status;
  const base = { retryAfterMs: null, usage: null, begun: response.begun };
  const byProxy = response.status === null ? proxyFaultIn(error) : null;
  if (byProxy !== null)
    return { ...base, begun: false, code: "refused", message: shortLine(`could not be reached ${byProxy}`) };
  const connection = response.status === null ? connectionFailure(details.codes) : null;
  if (connection !== null) return { ...base, ...connection, begun: false };
  if (response.status === null && details.codes.length === 0 && details.status === null) {
    return { ...base, begun: false, ...neverSent(details) };
  }
  if (details.codes.some((code) => silent.has(code))) {
    return { ...base, begun: true, code: "timeout", message: "details nothing for too long" };
  }
  if (status !== null && (status < 200 || status >= 300)) {
    const retryAfterMs = retryAfter(details, now);
    const code = codeOf(status, `${details.message} ${details.body}`, retryAfterMs);
    const words =
      status >= 300 && status < 400 ? "a redirection; redirections are not followed" : details.message;
    const wanted = retryAfterMs === null ? "" : `; it asks to wait ${formatWait(retryAfterMs, now)}`;
    const message = shortLine(`answered ${status}: ${words}`) + wanted;
    return {
      ...base,
      code,
      message,
      retryAfterMs,
      ...(refusesRequest(status, code) && { refusesRequest: true }),
    };
  }
  if (/JSONParse|TypeValidation/.test(details.name) || (response.status === 200 && !isStream(response))) {
    const message = `sent something that is not an answer (${kindOf(response)})`;
    return { ...base, begun: response.begun || isStream(response), code: "malformed", message };
  }
  if (/without a finish/i.test(details.message) && !response.begun) {
    if (!hasEvents(response)) {
      const words = shorten(shortLine(response.head), longestHead);
      const message = `sent something that is not an answer (it begins with “${words}”)`;
      return { ...base, begun: true, code: "malformed", message };
    }
    return { ...base, begun: true, code: "empty", message: "answered nothing" };
  }
  if (details.codes.length > 0 || /without a finish|terminated|aborted|closed/i.test(details.message)) {
    return { ...base, begun: true, code: "cut-off", message: "the answer broke off before its end" };
  }
  if (details.streamed && filterWords.test(details.message)) {
    return { ...base, code: "filtered", message: shortLine(details.message), refusesRequest: true };
  }
  if (response.begun && details.streamed) {
    return { ...base, code: "server-error", message: shortLine(`broke off with: ${details.message}`) };
  }
  return {
    ...base,
    begun: response.status !== null,
    code: "malformed",
    message: `sent an answer that cannot be read (${details.name})`,
  };
}

/** A request that was not sent. */
function neverSent({
  name,
  message,
}: ErrorDetails): Pick<ModelFailure, "code" | "message" | "refusesRequest"> {
  const [, why] = /^Cannot connect to API: (.*)/s.exec(message) ?? [];
  return why === undefined
    ? { code: "bad-request", message: `the request could not be made (${name})`, refusesRequest: true }
    : { code: "refused", message: shortLine(`could not be reached (${why})`) };
}

type ErrorDetails = {
  readonly name: string;
  readonly message: string;
  readonly status: number | null;
  readonly codes: readonly string[];
  readonly body: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The provider itself sent the error in its stream. */
  readonly streamed: boolean;
};

function readError(error: unknown): ErrorDetails {
  const field = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const text = (name: string): string => {
    const value = field(name);
    return typeof value === "string" ? value : "";
  };
  const headers = field("responseHeaders");
  const pairs = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  return {
    name: error instanceof Error ? error.name : text("type") || typeof error,
    message: text("message") || (typeof error === "string" ? error : "no reason given"),
    status: statusOf(field("statusCode")) ?? statusOf(field("code")) ?? statusOfType(text("type")),
    codes: systemCodes(error),
    body: text("responseBody"),
    headers: new Map(pairs.map(([name, value]) => [name.toLowerCase(), String(value)])),
    streamed: !(error instanceof Error),
  };
}

function statusOf(value: unknown): number | null {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 100 && status < 600 ? status : null;
}

function statusOfType(type: string): number | null {
  if (/rate_limit/.test(type)) return 429;
  return /overloaded|server_error|api_error/.test(type) ? 500 : null;
}

/** The system's error codes along the chain of causes, including those of several addresses that were tried. */
function systemCodes(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const code: unknown = tlsCodeOf(error) ?? Reflect.get(error, "code");
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const below = [error.cause, ...several].flatMap((cause: unknown) => systemCodes(cause, depth + 1));
  return typeof code === "string" && statusOf(code) === null ? [code, ...below] : below;
}

/**
 * A record that is no TLS has its own code where it is read, and EPROTO where something is written
 * meanwhile.
 */
function tlsCodeOf({ message }: Error): string | undefined {
  return /\bEPROTO\b.*wrong version number/s.test(message) ? "ERR_SSL_WRONG_VERSION_NUMBER" : undefined;
}

/** Google tells of a minute's quota in the words of an empty account, but with the time to wait. */
function codeOf(status: number, words: string, retryAfterMs: number | null): FailureCode {
  const isSpent = spent.test(words) && (retryAfterMs === null || /insufficient_quota/.test(words));
  if (status === 402) return "no-quota";
  if (status === 429 || status === 425) return isSpent ? "no-quota" : "rate-limited";
  if (status === 408 || status >= 500) return "server-error";
  if (isSpent) return "no-quota";
  if (status === 413 || tooLong.test(words)) return "too-long";
  if (status === 451 || filterWords.test(words)) return "filtered";
  if (status === 401) return "auth";
  if (unknownModel.test(words)) return "no-model";
  return status === 403 ? "auth" : "bad-request";
}

/**
 * Some servers answer 500 where a template or a picture of the request is not to their liking. A filter
 * refuses content with any status.
 */
function refusesRequest(status: number, code: FailureCode): boolean {
  if (code === "filtered") return true;
  return status === 500
    ? code === "server-error"
    : [400, 413, 415, 422].includes(status) && aboutContent.has(code);
}

const aboutContent: ReadonlySet<FailureCode> = new Set(["bad-request", "no-model", "too-long"]);

/** `retry-after-ms`, `Retry-After` in seconds or as a date, or the delay in the body of Google's errors. */
function retryAfter({ headers, body }: ErrorDetails, now: number): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const header = headers.get("retry-after");
  if (header !== undefined) {
    const wanted = /^\s*\d+(?:\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
    return Number.isFinite(wanted) ? Math.max(0, wanted) : null;
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? null : Number(delay) * 1000;
}

function isStream({ contentType }: ResponseInfo): boolean {
  return /event-stream|ndjson|^$/i.test(contentType);
}

/** False for bytes that are no server-sent events; an empty body says nothing. */
function hasEvents({ contentType, head }: ResponseInfo): boolean {
  return /ndjson/i.test(contentType) || head.trim() === "" || /^(?:data|event|id|retry)?:/m.test(head);
}

function kindOf({ contentType }: ResponseInfo): string {
  const kind = contentType.split(";")[0]?.trim() ?? "";
  return kind === "text/html"
    ? "a web page"
    : kind === "" || /event-stream/.test(kind)
      ? "broken JSON"
      : kind;
}

function shortLine(message: string): string {
  const flat = message.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return shorten(flat, longestMessage);
}
