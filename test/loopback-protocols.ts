import type { Protocol, Spoken } from "./protocol.ts";
import { responses } from "./responses-protocol.ts";

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (type: string, data: object): string => `event: ${type}\n${event({ type, ...data })}`;

const chunk = (model: string, choices: readonly object[], rest: object = {}): string =>
  event({ id: "chat-1", object: "chat.completion.chunk", created: 1, model, choices, ...rest });
const delta = (model: string, content: object): string =>
  chunk(model, [{ index: 0, delta: content, finish_reason: null }]);

/** OpenAI's chat completions, which Ollama, llama.cpp, OpenRouter and Groq speak too. */
const openai: Protocol = {
  name: "openai",
  body: ({ model, thinking, deltas, pieces, calls }) => [
    delta(model, { role: "assistant" }),
    ...deltas.map((piece) => delta(model, piece)),
    ...(thinking === "" ? [] : [delta(model, { reasoning_content: thinking })]),
    ...pieces.map((content) => delta(model, { content })),
    ...calls.flatMap((call, index) => {
      const half = Math.ceil(call.arguments.length / 2);
      const tool = (rest: object) => delta(model, { tool_calls: [{ index, ...rest }] });
      return [
        tool({
          id: call.id,
          type: "function",
          function: { name: call.name, arguments: call.arguments.slice(0, half) },
        }),
        tool({ function: { arguments: call.arguments.slice(half) } }),
      ];
    }),
  ],
  end: ({ model, calls, usage, sentUsage, finish }) => {
    const finish_reason = finish === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop";
    const { input, output } = usage;
    const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    return [
      chunk(model, [{ index: 0, delta: {}, finish_reason }]),
      chunk(model, [], { usage: sentUsage ?? tokens }),
      "data: [DONE]\n\n",
    ];
  },
  error: (message) => event({ error: { message, type: "server_error", code: null } }),
};

/** Anthropic's messages. */
const anthropic: Protocol = {
  name: "anthropic",
  body: ({ model, thinking, signature, pieces, calls, usage, sentUsage }) => {
    const blocks = [
      ...(thinking === "" ? [] : [thinkingBlock(thinking, signature)]),
      ...(pieces.length === 0 ? [] : [textBlock(pieces)]),
      ...calls.map(callBlock),
    ];
    const message = {
      id: "msg-1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...(sentUsage ?? { input_tokens: usage.input }), output_tokens: 1 },
    };
    return [named("message_start", { message }), ...blocks.flatMap((block, index) => block(index))];
  },
  end: ({ calls, usage, sentUsage, finish }) => {
    const stop_reason = finish === "length" ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
    return [
      named("message_delta", {
        delta: { stop_reason, stop_sequence: null },
        usage: sentUsage ?? { output_tokens: usage.output },
      }),
      named("message_stop", {}),
    ];
  },
  error: (message) => named("error", { error: { type: "overloaded_error", message } }),
};

type Block = (index: number) => readonly string[];

function block(index: number, start: object, deltas: readonly object[]): readonly string[] {
  return [
    named("content_block_start", { index, content_block: start }),
    ...deltas.map((piece) => named("content_block_delta", { index, delta: piece })),
    named("content_block_stop", { index }),
  ];
}

function thinkingBlock(thinking: string, signature: string): Block {
  return (index) =>
    block(index, { type: "thinking", thinking: "" }, [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ]);
}

function textBlock(pieces: readonly string[]): Block {
  return (index) =>
    block(
      index,
      { type: "text", text: "" },
      pieces.map((text) => ({ type: "text_delta", text })),
    );
}

function callBlock(call: Spoken["calls"][number]): Block {
  return (index) =>
    block(index, { type: "tool_use", id: call.id, name: call.name, input: {} }, [
      { type: "input_json_delta", partial_json: call.arguments },
    ]);
}

/** Google's `streamGenerateContent` with `alt=sse`. Arguments that do not parse are sent as text, as its JSON demands an object. */
const google: Protocol = {
  name: "google",
  body: ({ thinking, signature, pieces, calls }) => {
    const parts = [
      ...(thinking === "" ? [] : [{ text: thinking, thought: true }]),
      ...pieces.map((text) => ({ text })),
      ...calls.map(({ name, arguments: text }) => ({
        functionCall: { name, args: parsed(text) },
        ...(signature === "" ? {} : { thoughtSignature: signature }),
      })),
    ];
    return parts.map((part) =>
      event({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] }),
    );
  },
  end: ({ usage, sentUsage, finish }) => {
    const usageMetadata = sentUsage ?? {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    };
    const finishReason = finish === "length" ? "MAX_TOKENS" : "STOP";
    const content = { role: "model", parts: [{ text: "" }] };
    return [event({ candidates: [{ content, finishReason, index: 0 }], usageMetadata })];
  },
  error: (message) => event({ error: { code: 503, message, status: "UNAVAILABLE" } }),
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The protocol that a path belongs to; null for a path that no provider has. */
export function protocolOf(path: string): Protocol | null {
  if (path.endsWith("/chat/completions")) return openai;
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/messages")) return anthropic;
  return path.includes(":streamGenerateContent") ? google : null;
}
