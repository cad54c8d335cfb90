import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { excessOf } from "./message-limits.ts";
import { parseJsonOrThrow } from "./parse-json-or-throw.ts";
import { ServerFailure } from "./server-failure.ts";

/** Where the answer of a server stands, as it sent it, in the form that the library is given. */
const unread = "passepartout/unread";
/**
 * The requests whose answers this program reads itself: the library refuses the whole of one for a detail of
 * it.
 */
const readHere: ReadonlySet<string> = new Set(["tools/list", "tools/call"]);

/**
 * The messages of a connection on their way in: bounded before they are parsed, and in a form that the
 * library always takes. The answers that this program reads itself lie in it as they were sent.
 */
export class IncomingMessages {
  /** The methods of the requests that are not answered yet, by their ids. */
  readonly #asked = new Map<string, string>();
  #problem: string | null = null;

  /**
   * What was wrong with a message, so that nothing more is read of this connection; null while nothing was.
   */
  get problem(): string | null {
    return this.#problem;
  }

  /** Notes a request, so that its answer is known. */
  noteSent(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) this.#asked.set(String(message.id), message.method);
  }

  /**
   * Reads a message, or a list of messages. Null for a text that is none. Throws a `ServerFailure` where it
   * is too much.
   */
  read(text: string): Json | null {
    const excess = excessOf(text);
    if (excess !== null) throw new ServerFailure(this.#fail(excess));
    const said = parse(text);
    return isJsonArray(said) ? said.map((one) => this.#inForm(one)) : this.#inForm(said);
  }

  /** The answer that a request gets whose stream ended before its answer came; null where it was answered. */
  answerForEnded(message: JSONRPCMessage): JSONRPCMessage | null {
    if (!("method" in message && "id" in message) || !this.#asked.delete(String(message.id))) return null;
    const why = this.#fail("the stream of its answer broke off");
    return { jsonrpc: "2.0", id: message.id, error: { code: connectionClosed, message: why } };
  }

  #fail(why: string): string {
    this.#problem ??= why;
    return this.#problem;
  }

  #inForm(said: Json): Json | null {
    if (!isJsonObject(said) || said["jsonrpc"] === undefined) return null;
    const { id, method, result, error } = said;
    if (method !== undefined || id === undefined) return said;
    const asked = this.#asked.get(String(id)) ?? "";
    this.#asked.delete(String(id));
    if (error !== undefined && error !== null) return { jsonrpc: "2.0", id, error: errorOf(error) };
    return readHere.has(asked) ? { jsonrpc: "2.0", id, result: wrap(result ?? null) } : said;
  }
}

const connectionClosed = -32_000;

function parse(text: string): Json {
  try {
    return parseJsonOrThrow(text);
  } catch {
    // Servers print words of their own.
    return null;
  }
}

function errorOf(error: Json): Json {
  const { code, message, data } = isJsonObject(error) ? error : {};
  return {
    code: Number.isInteger(code) ? (code ?? connectionClosed) : connectionClosed,
    message: typeof message === "string" ? message : JSON.stringify(error),
    // The revisions that a server knows, of which the library takes another one.
    ...(isJsonObject(data) && isJsonArray(data["supported"] ?? null) ? { data } : {}),
  };
}

/**
 * An answer in a form that is right in each revision, for a list of tools and for a result. Questions of a
 * server are left to the library.
 */
function wrap(result: Json): JsonObject {
  const { resultType, inputRequests, requestState } = isJsonObject(result) ? result : {};
  if (resultType === "input_required")
    return {
      resultType,
      inputRequests: inputRequests ?? {},
      ...(requestState === undefined ? {} : { requestState }),
    };
  const both = { tools: [], content: [], ttlMs: 0, cacheScope: "private" };
  return { resultType: "complete", ...both, [unread]: result };
}

/** What the server answered, from what the library gave. */
export function unwrap(given: Json): Json {
  return isJsonObject(given) && Object.hasOwn(given, unread) ? (given[unread] ?? null) : given;
}
