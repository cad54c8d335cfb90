import { z } from "zod";
import { inputKinds } from "../../signal/attachment.ts";
import type { Wait } from "../../text/clock.ts";
import type { FailureCode, ModelPart, ModelRequest, Provider } from "../model/model-port.ts";
import { printRaw, type RawPart } from "./raw-parts.ts";

const prices = z.strictObject({
  inputMicrodollarsPerMillion: z.number().nonnegative(),
  outputMicrodollarsPerMillion: z.number().nonnegative(),
  cacheReadMicrodollarsPerMillion: z.number().nonnegative().exactOptional(),
  cacheWriteMicrodollarsPerMillion: z.number().nonnegative().exactOptional(),
  thinkingMicrodollarsPerMillion: z.number().nonnegative().exactOptional(),
});
const call = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  /** An object, or the text as the model writes it, which may be invalid JSON. */
  arguments: z.union([z.string(), z.record(z.string(), z.json())]),
});
const failureCodes = [
  "refused",
  "unknown-host",
  "bad-certificate",
  "timeout",
  "rate-limited",
  "server-error",
  "malformed",
  "empty",
  "out-of-tokens",
  "cut-off",
  "auth",
  "no-quota",
  "no-model",
  "filtered",
  "too-long",
  "cancelled",
  "bad-request",
] as const satisfies readonly FailureCode[];
const failure = z.strictObject({
  code: z.enum(failureCodes),
  message: z.string().default("as the script says"),
  retryAfterMs: z.number().nonnegative().nullable().default(null),
});
const answer = z.strictObject({
  /** Given only for a request whose last message contains this text. */
  when: z.string().optional(),
  /** Can be given any number of times. */
  repeat: z.boolean().default(false),
  thinking: z.string().optional(),
  /** The text, or its pieces. */
  text: z.union([z.string(), z.array(z.string())]).default(""),
  calls: z.array(call).default([]),
  /** Milliseconds before each piece. */
  delayMs: z.number().nonnegative().default(0),
  finishReason: z.enum(["stop", "length", "calls", "filtered", "other"]).optional(),
  usage: z
    .strictObject({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number().exactOptional(),
      cacheWriteTokens: z.number().exactOptional(),
      thinkingTokens: z.number().exactOptional(),
    })
    .optional(),
  /** Ends the answer with this failure, after the text. */
  failure: failure.optional(),
});
const script = z.strictObject({
  name: z.string().default("scripted"),
  model: z.string().default("script"),
  local: z.boolean().default(true),
  contextWindow: z.number().int().positive().default(8_192),
  /** Tokens that an answer may have at most. */
  maxOutputTokens: z.number().int().positive().default(4_096),
  callsTools: z.boolean().default(true),
  inputs: z.array(z.enum(inputKinds)).default([]),
  prices: prices.nullable().default({ inputMicrodollarsPerMillion: 0, outputMicrodollarsPerMillion: 0 }),
  answers: z.array(answer),
});

/** The script of a provider. Answers are given in order, each once. */
export type Script = z.input<typeof script>;
type Answer = z.output<typeof answer>;

/** A provider that answers by its script, and records the requests. */
export type ScriptedProvider = Provider & { readonly requests: readonly ModelRequest[] };

/** Reads a script from JSON text, or explains why it is invalid. */
export function parseScript(
  json: string,
): { readonly ok: true; readonly script: Script } | { readonly ok: false; readonly message: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return {
      ok: false,
      message: `The script is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const parsed = script.safeParse(value);
  return parsed.success
    ? { ok: true, script: parsed.data }
    : { ok: false, message: `The script is invalid: ${z.prettifyError(parsed.error)}` };
}

const origin = {
  contextWindow: "setting",
  maxOutputTokens: "setting",
  prices: { from: "setting", day: null },
} as const;

/** Makes a provider without a model, for tests and trials. When no answer is left, it fails as a bad request. */
export function makeScriptedProvider(given: Script, wait: Wait): ScriptedProvider {
  const { name, model, local, callsTools, answers, ...known } = script.parse(given);
  const requests: ModelRequest[] = [];
  const left = [...answers];
  const choose = (request: ModelRequest): Answer | null => {
    const last = JSON.stringify(request.messages.at(-1) ?? "");
    const index = left.findIndex(({ when }) => when === undefined || last.includes(when));
    const chosen = left[index];
    if (chosen?.repeat === false) left.splice(index, 1);
    return chosen ?? null;
  };
  const stream: Provider["stream"] = async function* (request, _reserved, cancel) {
    requests.push(request);
    const chosen = choose(request);
    if (chosen === null) yield failed("bad-request", "the script has no answer left", null);
    else yield* say(chosen, { name, model: request.model, turn: requests.length, wait }, cancel);
  };
  const recordOf: Provider["recordOf"] = async (asked) => ({ ...known, model: asked, thinks: false, origin });
  const writesThinking = () => false;
  return { name, settings: name, model, local, callsTools, writesThinking, recordOf, stream, requests };
}

type Speaker = { readonly name: string; readonly model: string; readonly turn: number; readonly wait: Wait };

async function* say(
  chosen: Answer,
  { name, model, turn, wait }: Speaker,
  cancel: AbortSignal,
): AsyncGenerator<ModelPart> {
  const parts: RawPart[] = [];
  const text = typeof chosen.text === "string" ? [chosen.text] : chosen.text;
  const pieces: ModelPart[] = [
    ...(chosen.thinking === undefined ? [] : [{ kind: "thinking", text: chosen.thinking } as const]),
    ...text.filter((piece) => piece !== "").map((piece) => ({ kind: "text", text: piece }) as const),
    ...chosen.calls.map(({ id, name: tool, arguments: args }, index) => {
      const argumentsText = typeof args === "string" ? args : JSON.stringify(args);
      return {
        kind: "call",
        call: { id: id ?? `call-${turn}-${index + 1}`, name: tool, argumentsText },
      } as const;
    }),
  ];
  for (const piece of pieces) {
    if (chosen.delayMs > 0) await wait(chosen.delayMs, cancel);
    if (cancel.aborted) {
      yield failed("cancelled", "stopped", null);
      return;
    }
    if (piece.kind === "call") parts.push({ kind: "call", ...piece.call, metadata: null });
    else if (piece.kind === "text" || piece.kind === "thinking") parts.push({ ...piece, metadata: null });
    yield piece;
  }
  if (pieces.length === 0 && chosen.delayMs > 0) await wait(chosen.delayMs, cancel);
  if (chosen.failure !== undefined) {
    const { code, message, retryAfterMs } = chosen.failure;
    yield failed(code, message, retryAfterMs, pieces.length > 0);
    return;
  }
  const finishReason = chosen.finishReason ?? (chosen.calls.length > 0 ? "calls" : "stop");
  yield { kind: "finish", finishReason, usage: chosen.usage ?? null, raw: printRaw(name, model, parts) };
}

function failed(code: FailureCode, message: string, retryAfterMs: number | null, begun = false): ModelPart {
  return { kind: "failed", failure: { code, message, retryAfterMs, begun, usage: null } };
}
