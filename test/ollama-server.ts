import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** What the scripted Ollama answers: words, thinking and calls, or an error in mid-stream. */
export type OllamaAnswer = {
  readonly text?: readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object; readonly id?: string }[];
  readonly doneReason?: "stop" | "length";
  readonly error?: string;
};

/** The server's ways: versions that have only `/v1`, and what is known of its one model. */
export type OllamaServerOptions = {
  readonly hasOwnApi?: boolean;
  /** Tokens that the model can have. */
  readonly contextLength?: number;
  /** The parameters of its Modelfile, as `/api/show` prints them. */
  readonly parameters?: string;
  readonly answers?: readonly OllamaAnswer[];
  /** Whether its model takes tools; where not, a request with tools is refused. */
  readonly takesTools?: boolean;
  /** What `/api/show` says that its model can do. */
  readonly capabilities?: readonly string[];
  readonly architecture?: string;
  /** Where its model runs, if not here. */
  readonly remoteHost?: string;
  /** A status that `/api/show` answers with, the first time. */
  readonly showStatus?: number;
};

/** One chat as the server ran it: with which context, and which texts the model saw of those that were sent. */
export type OllamaChat = {
  readonly path: string;
  readonly numCtx: number;
  readonly seen: readonly string[];
  readonly body: { readonly [key: string]: unknown };
};

/** A scripted Ollama on loopback. As the real one does, it leaves the oldest messages of a prompt out in silence where they exceed its context, unless `truncate` is false. */
export type OllamaServer = AsyncDisposable & {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly chats: readonly OllamaChat[];
  /** Paths in the order of the requests. */
  readonly paths: readonly string[];
};

const defaultNumCtx = 4096;
const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.null(), z.array(z.looseObject({ text: z.string() }))]).optional(),
    }),
  ),
  truncate: z.boolean().optional(),
  options: z.looseObject({ num_ctx: z.number().int().optional() }).optional(),
});
type ChatBody = z.infer<typeof chatBody>;

/** Starts the server. It has a model called `m`. */
export async function startOllamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const chats: OllamaChat[] = [];
  const paths: string[] = [];
  const answers = [...(options.answers ?? [])];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    const reply = async (): Promise<void> => {
      const text = await textOf(request);
      const path = request.url ?? "";
      if (path === "/v1/chat/completions" || (path === "/api/chat" && options.hasOwnApi !== false)) {
        const body = chatBody.parse(JSON.parse(text));
        if (options.takesTools === false && body["tools"] !== undefined)
          send(response, 400, { error: `registry.ollama.ai/library/${body.model} does not support tools` });
        else runChat({ path, body }, answers.shift() ?? {}, chats, response);
      } else if (path === "/v1/models") {
        send(response, 200, { object: "list", data: [{ id: "m", object: "model", owned_by: "library" }] });
      } else if (path === "/api/show" && options.showStatus !== undefined && paths.length === 1) {
        send(response, options.showStatus, { error: "busy" });
      } else if (path === "/api/show" && options.hasOwnApi !== false) show(text, options, response);
      else send(response, 404, "404 page not found");
    };
    reply().catch((error: unknown) => send(response, 500, { error: String(error) }));
  });
  server.unref();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    chats,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function show(
  text: string,
  {
    contextLength = 131_072,
    parameters,
    capabilities,
    architecture = "llama",
    remoteHost,
  }: OllamaServerOptions,
  to: ServerResponse,
) {
  const { model } = z.object({ model: z.string() }).parse(JSON.parse(text));
  if (model !== "m") {
    send(to, 404, { error: `model '${model}' not found` });
    return;
  }
  const info = {
    "general.architecture": architecture,
    [`${architecture}.context_length`]: contextLength,
  };
  const told = { ...(parameters !== undefined && { parameters }), ...(capabilities && { capabilities }) };
  const elsewhere = remoteHost !== undefined && { remote_host: remoteHost };
  send(to, 200, { ...told, ...elsewhere, model_info: info });
}

function runChat(
  { path, body }: { readonly path: string; readonly body: ChatBody },
  answer: OllamaAnswer,
  chats: OllamaChat[],
  to: ServerResponse,
): void {
  if (body.model !== "m") {
    const error = `model '${body.model}' not found`;
    send(to, 404, path === "/api/chat" ? { error } : { error: { message: error } });
    return;
  }
  const numCtx = (path === "/api/chat" ? body.options?.num_ctx : undefined) ?? defaultNumCtx;
  const sent = body.messages.map(({ role, content }) => ({ role, text: plainText(content) }));
  const tokensOf = (texts: readonly { readonly text: string }[]): number =>
    texts.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);
  if (body.truncate === false && tokensOf(sent) > numCtx) {
    send(to, 400, { error: "the input length exceeds the context length" });
    return;
  }
  const seen = [...sent];
  while (tokensOf(seen) > numCtx && seen.length > 1) {
    seen.splice(
      seen.findIndex(({ role }) => role !== "system"),
      1,
    );
  }
  chats.push({ path, numCtx, seen: seen.map(({ text }) => text), body });
  if (path === "/api/chat") streamLines(answer, tokensOf(seen), to);
  else streamEvents(answer, to);
}

function streamLines(
  { text = ["Yes."], thinking, calls = [], doneReason = "stop", error }: OllamaAnswer,
  promptTokens: number,
  to: ServerResponse,
): void {
  const line = (rest: object): string =>
    `${JSON.stringify({ model: "m", created_at: "2026-11-22T12:00:00Z", ...rest })}\n`;
  const said = (message: object): string =>
    line({ message: { role: "assistant", content: "", ...message }, done: false });
  const toolCalls = calls.map(({ name, arguments: args, id }) => ({
    ...(id !== undefined && { id }),
    function: { index: 0, name, arguments: args },
  }));
  const end = { done: true, done_reason: doneReason, prompt_eval_count: promptTokens, eval_count: 7 };
  const whole = [
    ...(thinking === undefined ? [] : [said({ thinking })]),
    ...text.map((content) => said({ content })),
    ...toolCalls.map((call) => said({ tool_calls: [call] })),
    error === undefined
      ? line({ message: { role: "assistant", content: "" }, ...end })
      : `${JSON.stringify({ error })}\n`,
  ].join("");
  to.writeHead(200, { "content-type": "application/x-ndjson" });
  // Pieces that end within lines and within characters.
  const bytes = Buffer.from(whole);
  for (let at = 0; at < bytes.length; at += 37) to.write(bytes.subarray(at, at + 37));
  to.end();
}

function streamEvents({ text = ["Yes."], doneReason = "stop" }: OllamaAnswer, to: ServerResponse): void {
  to.writeHead(200, { "content-type": "text/event-stream" });
  const event = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  to.end(
    [...text.map((content) => event({ content }, null)), event({}, doneReason), "data: [DONE]\n\n"].join(""),
  );
}

function plainText(content: ChatBody["messages"][number]["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text).join("");
}

function send(to: ServerResponse, status: number, body: object | string): void {
  to.writeHead(status, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
  to.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
