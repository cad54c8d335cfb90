import type { Protocol, Spoken } from "./protocol.ts";

const event = (type: string, data: object): string => `data: ${JSON.stringify({ type, ...data })}\n\n`;

/** OpenAI's API of responses. The signature of thinking is its encrypted content. */
export const responses: Protocol = {
  name: "responses",
  body: (spoken) => [
    event("response.created", { response: { id: "resp-1", created_at: 1, model: spoken.model } }),
    ...itemsOf(spoken).flatMap((item, index) => item(index)),
  ],
  end: ({ usage, sentUsage, finish }) => {
    const { input, output } = usage;
    const incomplete = finish === "length" ? { incomplete_details: { reason: "max_output_tokens" } } : {};
    const counted = sentUsage ?? { input_tokens: input, output_tokens: output, total_tokens: input + output };
    const type = finish === "length" ? "response.incomplete" : "response.completed";
    return [event(type, { response: { ...incomplete, usage: counted } })];
  },
  error: (message) =>
    event("error", {
      sequence_number: 9,
      error: { type: "server_error", code: "server_error", message, param: null },
    }),
};

type Item = (index: number) => readonly string[];

function itemsOf({ thinking, signature, pieces, calls, finish }: Spoken): readonly Item[] {
  return [
    ...(signature === "" ? [] : [reasoningItem(thinking, signature)]),
    ...(pieces.length === 0 ? [] : [messageItem(pieces)]),
    ...calls.map((call, index) => callItem(call, finish === "length" && index === calls.length - 1)),
  ];
}

function added(output_index: number, item: object): string {
  return event("response.output_item.added", { output_index, item });
}

function done(output_index: number, item: object): string {
  return event("response.output_item.done", { output_index, item });
}

function reasoningItem(thinking: string, encrypted: string): Item {
  return (index) => {
    const item = { type: "reasoning", id: `rs-${index}`, summary: [] };
    const said = { item_id: item.id, output_index: index, summary_index: 0 };
    return [
      added(index, { ...item, encrypted_content: "" }),
      ...(thinking === ""
        ? []
        : [
            event("response.reasoning_summary_part.added", said),
            event("response.reasoning_summary_text.delta", { ...said, delta: thinking }),
            event("response.reasoning_summary_part.done", said),
          ]),
      done(index, { ...item, encrypted_content: encrypted }),
    ];
  };
}

function messageItem(pieces: readonly string[]): Item {
  return (index) => {
    const item = { type: "message", id: `msg-${index}` };
    return [
      added(index, item),
      ...pieces.map((delta) =>
        event("response.output_text.delta", { item_id: item.id, output_index: index, delta }),
      ),
      done(index, item),
    ];
  };
}

/** A call that is cut ends as incomplete, and so with half of its arguments. */
function callItem(call: Spoken["calls"][number], isCut: boolean): Item {
  return (index) => {
    const item = { type: "function_call", id: `fc-${index}`, call_id: call.id, name: call.name };
    return [
      added(index, { ...item, arguments: "" }),
      event("response.function_call_arguments.delta", {
        item_id: item.id,
        output_index: index,
        delta: call.arguments,
      }),
      done(index, { ...item, arguments: call.arguments, status: isCut ? "incomplete" : "completed" }),
    ];
  };
}
