import type { Client, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { sha256 } from "../../machine/digest.ts";
import type { ToolList } from "../../signal/mcp-server.ts";
import type { Outcome } from "../../signal/tool.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  nestsDeeper,
} from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";
import { unwrap } from "./incoming-messages.ts";
import { readToolList } from "./list-tools.ts";
import { deepestMessage } from "./message-limits.ts";
import { parseJsonOrThrow } from "./parse-json-or-throw.ts";
import { readResult } from "./read-result.ts";
import { ServerFailure } from "./server-failure.ts";
import { getServedSkill, type ServedSkill, skillsExtension } from "./server-skills.ts";

/** What a server answered to a call: an outcome, or questions to the owner. `state` goes back to it unread with the answers. */
export type CallReply =
  | { readonly kind: "done"; readonly outcome: Outcome }
  | { readonly kind: "asks"; readonly requests: JsonObject; readonly state: string | null };

/** A call of a tool by the server's own name of it. `answers`: the owner's, to the questions that the server asked of the same call before. */
export type ServerCall = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly answers: {
    readonly questions: JsonObject;
    readonly values: JsonObject;
    readonly state: string | null;
  } | null;
};

/** An open connection to a server. Each method throws where the server fails, is late, or says what cannot be read. */
export type McpConnection = {
  /** The revision of the protocol that was agreed upon. */
  readonly revision: string;
  /** The tools that the server offers now. */
  readonly list: (cancel: AbortSignal) => Promise<ToolList>;
  readonly call: (call: ServerCall, cancel: AbortSignal) => Promise<CallReply>;
  /** A skill of the server, with its files. */
  readonly skill: (name: string, cancel: AbortSignal) => Promise<ServedSkill>;
  readonly close: () => Promise<void>;
};

/** How to connect. `isLegacy`: the server is known to speak a revision before 2026-07-28, and is not asked whether it speaks that. */
export type ConnectOptions = {
  readonly makeTransport: (library: typeof import("@modelcontextprotocol/client")) => Transport;
  readonly isLegacy: boolean;
  readonly version: string;
  /** Milliseconds for connecting and for listing, and for a call. */
  readonly connectTimeout: number;
  readonly callTimeout: number;
};

const skillsCapability = z.object({ extensions: z.record(z.string(), z.unknown()).optional() });
const anything = z.looseObject({});

/** How many messages a server may send in one use: each costs the agent time. */
const mostMessages = 10_000;
/** How many pages a list of tools may have, and how many bytes in all. */
const mostPages = 20;
const largestList = 4_194_304;

/** Connects to a server and agrees upon a revision of the protocol. The library is loaded here. Nothing but forms is declared: no roots, no sampling, no logging. */
export async function connect(options: ConnectOptions, cancel: AbortSignal): Promise<McpConnection> {
  const library = await import("@modelcontextprotocol/client");
  const open = async (mode: "auto" | "legacy"): Promise<McpConnection> => {
    const client = new library.Client(
      { name: "passepartout", version: options.version },
      {
        capabilities: { elicitation: { form: {} } },
        inputRequired: { autoFulfill: false },
        versionNegotiation: { mode },
        // Schemas of strangers are not compiled: results are data, whatever their schema says.
        jsonSchemaValidator: {
          getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }) as never,
        },
      },
    );
    const transport = options.makeTransport(library);
    const connection = new OpenConnection(client, options, transport);
    await client.connect(transport, { timeout: options.connectTimeout, signal: cancel });
    return connection;
  };
  if (options.isLegacy) return open("legacy");
  try {
    return await open("auto");
  } catch (error) {
    // Servers of older libraries end when they are asked something before they are initialised.
    if (cancel.aborted || !endedItself(error)) throw error;
    return open("legacy");
  }
}

function endedItself(error: unknown): boolean {
  return error instanceof Error && /closed|not running|it ended/i.test(error.message);
}

/** A connection that does one thing after the other: a question of an older server belongs to the call under way. */
class OpenConnection implements McpConnection {
  readonly #client: Client;
  readonly #options: ConnectOptions;
  /** Messages since the last use began. */
  #messages = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** What the server asked in the call under way, what it may be answered, and what it was answered. */
  #asked: Map<string, Json> = new Map();
  #answers: ServerCall["answers"] = null;
  #answered: Set<string> = new Set();

  constructor(client: Client, options: ConnectOptions, transport: Transport) {
    this.#client = client;
    this.#options = options;
    transport.onmessage = () => {
      this.#messages += 1;
      if (this.#messages === mostMessages + 1) void transport.close();
    };
    client.setRequestHandler("elicitation/create", async ({ method, params }) =>
      this.#answer({ method, params }),
    );
  }

  get revision(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? "unknown";
  }

  list(cancel: AbortSignal): Promise<ToolList> {
    return this.#inTurn(async () => {
      if (this.#client.getServerCapabilities()?.tools === undefined) return readToolList([]);
      const said: Json[] = [];
      let cursor: string | undefined;
      let bytes = 0;
      for (let page = 0; page < mostPages; page += 1) {
        const given = asJson(await this.#listPage(cursor, cancel));
        if (!isJsonObject(given) || !isJsonArray(given["tools"])) throw new Error("its list cannot be read");
        bytes += JSON.stringify(given["tools"]).length;
        if (bytes > largestList) throw new Error(`its list of tools has more than ${largestList} bytes`);
        pushAll(said, given["tools"]);
        cursor = cursorOf(given["nextCursor"]);
        if (cursor === undefined) return readToolList(said);
      }
      throw new Error(`its list of tools has more than ${mostPages} pages`);
    });
  }

  /**
   * The library's own listing keeps what servers say, prints some of it, and refuses a list for a detail of
   * one tool.
   */
  #listPage(cursor: string | undefined, cancel: AbortSignal): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    const { connectTimeout: timeout } = this.#options;
    return this.#client.request({ method: "tools/list", params }, anything, { timeout, signal: cancel });
  }

  call({ tool, args, answers }: ServerCall, cancel: AbortSignal): Promise<CallReply> {
    return this.#inTurn(async () => {
      this.#asked = new Map();
      this.#answers = answers;
      this.#answered = new Set();
      const isModern = this.#client.getProtocolEra() === "modern";
      const repeated =
        answers !== null && isModern
          ? {
              inputResponses: responsesTo(answers),
              ...(answers.state === null ? {} : { requestState: answers.state }),
            }
          : {};
      const given = await this.#client.request(
        { method: "tools/call", params: { name: tool, arguments: args, ...repeated } },
        anything,
        { allowInputRequired: true, timeout: this.#options.callTimeout, signal: cancel },
      );
      const result = asJson(given);
      if (!isJsonObject(result)) throw new Error("its result cannot be read");
      if (this.#asked.size > 0)
        return { kind: "asks", requests: Object.fromEntries(this.#asked), state: null };
      const { resultType, inputRequests, requestState } = result;
      if (resultType === undefined || resultType === "complete")
        return { kind: "done", outcome: readResult(result) };
      if (resultType !== "input_required") throw new Error("its result is of a kind that is not known");
      return {
        kind: "asks",
        requests: isJsonObject(inputRequests) ? inputRequests : {},
        state: typeof requestState === "string" ? requestState : null,
      };
    });
  }

  skill(name: string, cancel: AbortSignal): Promise<ServedSkill> {
    const options = { timeout: this.#options.connectTimeout, signal: cancel };
    const { extensions } = skillsCapability.parse(this.#client.getServerCapabilities() ?? {});
    return this.#inTurn(() =>
      getServedSkill(
        {
          declaresSkills: extensions?.[skillsExtension] !== undefined,
          request: async (method, params) =>
            asJson(await this.#client.request({ method, params }, anything, options)),
          readResource: async (uri) => asJson(await this.#client.readResource({ uri }, options)),
        },
        name,
      ),
    );
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Answers an older server that asks in the middle of a call: once with what the owner said to the same question, else with nothing. */
  #answer(request: unknown): { action: "accept"; content: Record<string, string> } | { action: "cancel" } {
    const asked = asJson(request);
    const key = sha256(canonicalJson(asked));
    const values = this.#answers?.values[key];
    const isNew = !this.#answered.has(key);
    this.#answered.add(key);
    if (isNew && isJsonObject(values) && this.#answers?.questions[key] !== undefined)
      return { action: "accept", content: values as Record<string, string> };
    this.#asked.set(key, asked);
    return { action: "cancel" };
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#limit(act));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #limit<T>(act: () => Promise<T>): Promise<T> {
    this.#messages = 0;
    try {
      return await act();
    } catch (error) {
      if (this.#messages <= mostMessages) throw error;
      throw new ServerFailure(`it sent more than ${mostMessages} messages`, { cause: error });
    } finally {
      this.#answers = null;
    }
  }
}

/** The answers by the server's own names of its questions. */
function responsesTo({ values }: NonNullable<ServerCall["answers"]>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, content]) => [key, { action: "accept", content }]),
  );
}

/** The place of the next page. Some servers say by null, or by an empty text, that there is none. */
function cursorOf(said: Json | undefined): string | undefined {
  return said === undefined || said === null || said === "" ? undefined : String(said);
}

/** What a server said, as JSON with well-formed texts. Throws where it nests too deep. */
function asJson(said: unknown): Json {
  const value = unwrap(parseJsonOrThrow(JSON.stringify(said ?? null, wellFormed)));
  if (nestsDeeper(value, deepestMessage)) throw new Error("it sent a message that nests too deep");
  return value;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
