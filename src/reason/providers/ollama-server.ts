import { z } from "zod";
import type { Clock } from "../../text/clock.ts";
import { parseJson } from "../../text/parse-json.ts";
import { makeSingleRequest } from "./single-request.ts";

/** What an Ollama server tells of one of its models. */
export type OllamaModel = {
  /** Tokens that the model can have at most. */
  readonly contextLength: number;
  /** Tokens that its Modelfile asks for, or all where it runs elsewhere; null if nothing is said. */
  readonly wanted: number | null;
  /** Where it runs, if that is not where its server is: on Ollama's own machines; else null. */
  readonly remoteHost: string | null;
  /** Whether it takes pictures. */
  readonly sees: boolean;
  /** Whether it can think before it answers; null where an older server does not tell. */
  readonly thinks: boolean | null;
  /** Whether it takes how much it shall think, and not only whether. */
  readonly takesLevels: boolean;
};

/** Asks an Ollama server. Sends nothing but the name of a model and the key. */
export type OllamaServer = {
  /** What it tells of a model; null where it has no API of its own beside `/v1`, or no such model. Throws where it does not answer. */
  readonly modelNamed: (model: string, cancel: AbortSignal) => Promise<OllamaModel | null>;
};

/** How long what a server told counts. A model can be replaced. Milliseconds. */
const lifetime = 300_000;

const shown = z.object({
  parameters: z.string().optional(),
  remote_host: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).default({}),
  capabilities: z.array(z.string()).optional(),
});
const unknownModel = z.object({ error: z.string().regex(/not found/) });
/** Tokens of a model elsewhere whose server does not tell. */
const unknownLength = 8192;
const positive = z.number().int().positive();

/** The address of Ollama's own API, beside its `/v1`. */
export function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, "");
}

/** Opens the server at the address of its `/v1`. What it tells is kept for some minutes; that it did not answer or has no such model is not kept. */
export function openOllamaServer(baseUrl: string, keyOf: () => string | null, clock: Clock): OllamaServer {
  const known = new Map<string, { readonly until: number; readonly model: OllamaModel | null }>();
  return {
    modelNamed: async (name, cancel) => {
      const kept = known.get(name);
      if (kept !== undefined && clock() < kept.until) return kept.model;
      const told = await show({ baseUrl, apiKey: keyOf(), name }, cancel);
      if (told === "no such model") return null;
      known.set(name, { until: clock() + lifetime, model: told });
      return told;
    },
  };
}

async function show(
  {
    baseUrl,
    apiKey,
    name,
  }: { readonly baseUrl: string; readonly apiKey: string | null; readonly name: string },
  cancel: AbortSignal,
): Promise<OllamaModel | "no such model" | null> {
  const response = await makeSingleRequest(baseUrl).fetch(`${ollamaRoot(baseUrl)}/api/show`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey ?? ""}` },
    body: JSON.stringify({ model: name }),
    signal: cancel,
  });
  const answer = parseJson(await response.text());
  if (response.ok) return readModel(answer);
  if (response.status >= 500 || response.status === 429)
    throw new OllamaError(response.status, "it could not tell of its model");
  return unknownModel.safeParse(answer).success ? "no such model" : null;
}

/**
 * A request that is not sent: its server cannot tell of the model now, or sends what it gets to another
 * machine.
 */
export class OllamaError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

function readModel(answer: unknown): OllamaModel | null {
  const { data } = shown.safeParse(answer);
  if (data === undefined) return null;
  const { model_info: info, parameters = "", remote_host: remote, capabilities } = data;
  const length = positive.safeParse(info[`${String(info["general.architecture"])}.context_length`]).data;
  if (length === undefined && remote === undefined) return null;
  const asked = positive.safeParse(Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1])).data ?? null;
  const contextLength = length ?? unknownLength;
  const wanted = remote === undefined ? asked : contextLength;
  return {
    contextLength,
    wanted,
    remoteHost: remote ?? null,
    sees: capabilities?.includes("vision") === true,
    thinks: capabilities?.includes("thinking") ?? null,
    takesLevels: info["general.architecture"] === "gptoss",
  };
}
