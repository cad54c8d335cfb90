import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";
import type { OllamaOptions } from "./endpoint.ts";

/** A text, or a picture as a `data:` address. */
const contentPart = z.union([
  z.object({ text: z.string() }),
  z.object({ image_url: z.object({ url: z.string() }) }),
]);

/** Ollama takes the pictures of a message, as base64, beside its text. */
function splitContent(parts: readonly z.infer<typeof contentPart>[]) {
  const images = parts.flatMap((part) =>
    "image_url" in part ? [part.image_url.url.replace(/^data:[^,]*,/, "")] : [],
  );
  const content = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n");
  return { content, ...(images.length > 0 && { images }) };
}

/** A request for a chat completion, as the provider package writes it. */
const completionRequest = z.object({
  model: z.string(),
  max_tokens: z.number().optional(),
  tools: z.array(z.json()).optional(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z
        .union([z.string(), z.array(contentPart), z.null()])
        .optional()
        .transform((content) =>
          splitContent(typeof content === "string" ? [{ text: content }] : (content ?? [])),
        ),
      reasoning_content: z.string().optional(),
      tool_calls: z
        .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
        .optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});
type CompletionRequest = z.infer<typeof completionRequest>;

/** A line of Ollama's answer. */
const answerLine = z.object({
  error: z.string().optional(),
  message: z
    .object({
      content: z.string().optional(),
      thinking: z.string().optional(),
      tool_calls: z
        .array(
          z.object({
            id: z.string().optional(),
            function: z.object({ name: z.string(), arguments: z.json() }),
          }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});
type AnswerLine = z.infer<typeof answerLine>;

/**
 * A request for a chat completion as one for Ollama's own API, which alone takes the size of the context: `/v1` runs a model with the server's default and leaves
 * out in silence what exceeds it. Here a prompt that is too long is refused.
 */
export function toOllamaBody(completionBody: string, options: OllamaOptions): string {
  return JSON.stringify(toOllama(completionRequest.parse(JSON.parse(completionBody)), options));
}

/** The answer of Ollama's own API as one of `/v1`: a stream of events, or an error. */
export async function toCompletionResponse(response: Response): Promise<Response> {
  if (!response.ok) return new Response(errorBody(await response.text()), response);
  const headers = { "content-type": "text/event-stream" };
  return new Response(response.body?.pipeThrough(toEvents()) ?? null, { status: response.status, headers });
}

function toOllama(
  { model, max_tokens: most, tools, messages }: CompletionRequest,
  { numCtx, think }: OllamaOptions,
): object {
  const names = new Map(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id, function: { name } }) => [id, name])),
  );
  return {
    model,
    messages: messages.map(
      ({ role, content, reasoning_content: thinking, tool_calls: calls, tool_call_id: id }) => ({
        role,
        ...content,
        ...(thinking !== undefined && { thinking }),
        ...(calls !== undefined && { tool_calls: calls.map(toOllamaCall) }),
        ...(id !== undefined && { tool_name: names.get(id), tool_call_id: id }),
      }),
    ),
    ...(tools !== undefined && { tools }),
    ...(think !== null && { think }),
    stream: true,
    truncate: false,
    shift: false,
    options: { num_ctx: numCtx, ...(most !== undefined && { num_predict: most }) },
  };
}

function toOllamaCall({
  id,
  function: { name, arguments: text },
}: NonNullable<CompletionRequest["messages"][number]["tool_calls"]>[number]) {
  return { id, function: { name, arguments: z.json().parse(JSON.parse(text)) } };
}

/** Ollama's error in the form of `/v1`. */
function errorBody(text: string): string {
  const { data } = z.object({ error: z.string() }).safeParse(parseJson(text));
  return data === undefined ? text : JSON.stringify({ error: { message: data.error } });
}

/** Lines of JSON become server-sent events. */
function toEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new StringDecoder("utf8");
  const encoder = new TextEncoder();
  const state = { line: "", calls: 0 };
  const translate = (line: string): string => {
    if (line.trim() === "") return "";
    const { data } = answerLine.safeParse(parseJson(line));
    if (data === undefined) return "data: no line of an answer\n\n";
    const events = eventsOf(data, state.calls);
    state.calls += data.message?.tool_calls?.length ?? 0;
    return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  };
  return new TransformStream({
    transform(bytes, controller) {
      const [first = "", ...others] = decoder.write(Buffer.from(bytes)).split("\n");
      const lines = [state.line + first, ...others];
      state.line = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(encoder.encode(translate(line)));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(translate(state.line + decoder.end())));
    },
  });
}

/** The events of one line. `callsBefore` counts the calls of the lines before. */
function eventsOf(line: AnswerLine, callsBefore: number): readonly object[] {
  if (line.error !== undefined) return [{ error: { message: line.error, type: "server_error", code: null } }];
  const { content, thinking, tool_calls: calls } = line.message ?? {};
  const delta = {
    ...(thinking !== undefined && thinking !== "" && { reasoning_content: thinking }),
    ...(content !== undefined && content !== "" && { content }),
    ...(calls?.length && {
      tool_calls: calls.map((call, index) => toCompletionCall(call, callsBefore + index)),
    }),
  };
  const event = (choice: object, rest: object = {}): object => ({
    id: "ollama",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: {}, ...choice }],
    ...rest,
  });
  const said = Object.keys(delta).length === 0 ? [] : [event({ delta })];
  if (line.done !== true) return said;
  const hasCalls = callsBefore + (calls?.length ?? 0) > 0;
  const reason = hasCalls && line.done_reason !== "length" ? "tool_calls" : (line.done_reason ?? "stop");
  return [...said, event({ finish_reason: reason }, usageOf(line))];
}

function toCompletionCall(
  {
    id,
    function: { name, arguments: given },
  }: NonNullable<NonNullable<AnswerLine["message"]>["tool_calls"]>[number],
  index: number,
): object {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return { index, id: id || `call_${randomUUID()}`, type: "function", function: { name, arguments: text } };
}

/** The tokens, if both are told: some versions leave those of a prompt out that they had in their cache. */
function usageOf({ prompt_eval_count: input, eval_count: output }: AnswerLine): object {
  if (input === undefined || output === undefined) return {};
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } };
}
