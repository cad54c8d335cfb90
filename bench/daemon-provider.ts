import { once } from "node:events";
import { createServer } from "node:http";

/** A provider that answers at once, with the times at which each request was whole and its answer began. Milliseconds of `performance.now()`. */
export type InstantProvider = AsyncDisposable & {
  readonly url: string;
  readonly asked: readonly number[];
  readonly answered: readonly number[];
};

const chunk = (delta: object, finish: string | null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chat-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })}\n\n`;
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const answer = `${chunk({ role: "assistant", content: "Hello there." }, null)}${chunk({}, "stop", { usage })}data: [DONE]\n\n`;

/** Starts it on 127.0.0.1: one piece in, one piece out, so that what is measured around it is the daemon's own. */
export async function startInstantProvider(): Promise<InstantProvider> {
  const [asked, answered]: [number[], number[]] = [[], []];
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      asked.push(performance.now());
      response.writeHead(200, { "content-type": "text/event-stream" });
      answered.push(performance.now());
      response.end(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
