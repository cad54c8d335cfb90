import { isJsonArray, isJsonObject, type Json } from "../../signal/json.ts";
import type { ProviderEndpoint } from "./endpoint.ts";
import { toJson } from "./raw-parts.ts";
import { makeSingleRequest } from "./single-request.ts";

/** How long a provider may take to list its models. Milliseconds. */
const patience = 3_000;
const mostNames = 3;
/** A name that can be shown and set. */
const plainName = /^[\w./:@+-]{1,100}$/;

/** The names of the provider's models that are most like a name that it does not know, as a clause; empty if it does not list them. Sends nothing but the key. */
export async function listNearestModels(
  endpoint: ProviderEndpoint,
  wanted: string,
  cancel: AbortSignal,
): Promise<string> {
  const { baseUrl, apiKey, protocol } = endpoint;
  const headers: Record<string, string> = {
    "openai-compatible": { authorization: `Bearer ${apiKey ?? ""}` },
    openai: { authorization: `Bearer ${apiKey ?? ""}` },
    anthropic: { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" },
    google: { "x-goog-api-key": apiKey ?? "" },
  }[protocol];
  const signal = AbortSignal.any([cancel, AbortSignal.timeout(patience)]);
  const names = await makeSingleRequest(baseUrl)
    .fetch(`${baseUrl}/models`, { headers, signal })
    .then(async (response) => (response.ok ? namesIn(toJson(await response.json())) : []))
    // Without the list the failure is told without it.
    .catch(() => []);
  const nearest = nearestOf(names, wanted);
  return nearest.length === 0 ? "" : `; it has ${nearest.join(", ")}`;
}

/** OpenAI and Anthropic list `data[].id`, Google `models[].name`. */
function namesIn(value: Json): readonly string[] {
  if (!isJsonObject(value)) return [];
  const list = value["data"] ?? value["models"];
  if (!isJsonArray(list)) return [];
  return list.flatMap((item) => {
    const name = isJsonObject(item) ? (item["id"] ?? item["name"]) : null;
    const bare = typeof name === "string" ? name.replace(/^models\//, "") : "";
    return plainName.test(bare) ? [bare] : [];
  });
}

function nearestOf(names: readonly string[], wanted: string): readonly string[] {
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(name.toLowerCase(), wanted.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, mostNames)
    .map(({ name }) => name);
}

/** Levenshtein distance; what one name has beyond the other costs little, so that a family or a tag may be missing. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const change = (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(change, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) - 0.8 * Math.abs(one.length - other.length);
}
