import { isJsonArray, isJsonObject, type Json } from "../../text/json.ts";
import type { ModelFailure } from "../model/model-port.ts";
import type { ProviderEndpoint } from "./endpoint.ts";
import { failureOf } from "./failure.ts";
import { toJson } from "./raw-parts.ts";
import { makeSingleRequest } from "./single-request.ts";

/** The names of the models that a provider offers, or why it lists none. */
export type OfferedModels =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** A name that can be shown and set. */
const plainName = /^[\w./:@+-]{1,100}$/;

/** Asks a provider for the models that it offers now. Sends nothing but the key. Names that could not be set are left out. */
export async function listModels(
  { baseUrl, apiKey, protocol }: Pick<ProviderEndpoint, "baseUrl" | "apiKey" | "protocol">,
  cancel: AbortSignal,
): Promise<OfferedModels> {
  const bearer = { authorization: `Bearer ${apiKey ?? ""}` };
  // The pages of two providers are short where nobody says how long they may be.
  const { headers, page } = {
    "openai-compatible": { headers: bearer, page: "" },
    openai: { headers: bearer, page: "" },
    anthropic: {
      headers: { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" },
      page: "?limit=1000",
    },
    google: { headers: { "x-goog-api-key": apiKey ?? "" }, page: "?pageSize=1000" },
  }[protocol];
  const single = makeSingleRequest(baseUrl);
  const failed = (error: unknown): OfferedModels => {
    const failure = failureOf(error, { ...single.seen(), begun: false }, Date.now());
    const message =
      apiKey === null || apiKey === "" ? failure.message : failure.message.replaceAll(apiKey, "[key]");
    return { ok: false, failure: { ...failure, message } };
  };
  try {
    const init = { headers: new Headers(headers), signal: cancel };
    const response = await single.fetch(`${baseUrl}/models${page}`, init);
    const text = await response.text();
    if (!response.ok) {
      const { status: statusCode } = response;
      return failed({ statusCode, message: messageIn(text), responseBody: text });
    }
    const models = namesIn(toJson(JSON.parse(text)));
    return models === null ? failed(new SyntaxError("no list of models")) : { ok: true, models };
  } catch (error) {
    return failed(error);
  }
}

/** What an error's body says, in the form that all four have; else its beginning. */
function messageIn(text: string): string {
  const [, message = ""] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return (message === "" ? text : message).replace(/\s+/g, " ").trim();
}

/** OpenAI and Anthropic list `data[].id`, Google `models[].name`, with what each can do. Null for what is no list. */
function namesIn(value: Json): readonly string[] | null {
  if (!isJsonObject(value)) return null;
  const list = value["data"] ?? value["models"];
  if (!isJsonArray(list)) return null;
  const names = list.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const { supportedGenerationMethods: methods } = item;
    if (isJsonArray(methods ?? null) && !JSON.stringify(methods).includes('"generateContent"')) return [];
    const name = item["id"] ?? item["name"];
    const bare = typeof name === "string" ? name.replace(/^models\//, "") : "";
    return plainName.test(bare) ? [bare] : [];
  });
  return [...new Set(names)];
}
