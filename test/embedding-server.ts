import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** One request for vectors. */
export type EmbeddingRequest = {
  readonly model: string;
  readonly input: readonly string[];
  readonly key: string;
};

/** An OpenAI-compatible `/embeddings` on loopback, under test control. */
export type EmbeddingServer = AsyncDisposable & {
  /** Its address, with `/v1`. */
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** Resolves when a request has come that holds the text. */
  readonly heard: (text: string) => Promise<void>;
  /** An HTTP status instead of vectors, from now on; null for vectors again. */
  readonly fail: (status: number | null) => void;
};

/** Words that mean the same, a line each; any other word is next to nothing. */
const meanings = [
  ["automobile", "car", "vehicle", "sedan"],
  ["physician", "doctor", "surgeon"],
  ["purchase", "buy", "acquire"],
  ["dwelling", "house", "cottage"],
];

/** Starts a server whose vectors say how often a text has each meaning. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  const set = { status: null as number | null };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
    const { model, input } = readRequest(Buffer.concat(chunks).toString("utf8"));
    requests.push({ model, input, key: request.headers.authorization ?? "" });
    for (const { text, resolve } of waiting) if (input.some((one) => one.includes(text))) resolve();
    response.writeHead(set.status ?? 200, { "content-type": "application/json" });
    if (set.status !== null || request.url !== "/v1/embeddings") {
      response.end('{"error":{"message":"as the test says"}}');
      return;
    }
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
    response.end(
      JSON.stringify({ object: "list", model, data, usage: { prompt_tokens: input.length * 10 } }),
    );
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    heard: (text) =>
      new Promise((resolve) => {
        waiting.push({ text, resolve });
      }),
    fail(status) {
      set.status = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function vectorOf(text: string): readonly number[] {
  const words = text.toLowerCase().match(/\w+/g) ?? [];
  const counts = meanings.map((same) => words.filter((word) => same.includes(word)).length);
  return [...counts, 0.01];
}

function readRequest(text: string): { readonly model: string; readonly input: readonly string[] } {
  const body: unknown = JSON.parse(text);
  const field = (name: string): unknown =>
    typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  const [model, input] = [field("model"), field("input")];
  if (typeof model !== "string" || !Array.isArray(input)) throw new Error("no request for vectors");
  return { model, input: input.map(String) };
}
