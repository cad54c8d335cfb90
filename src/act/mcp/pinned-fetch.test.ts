import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makePinnedFetch } from "./pinned-fetch.ts";

/** What is made of an answer, by the method it answers; what was read of it is marked. */
async function readAnswer(
  t: TestContext,
  answer: { readonly status: number; readonly type: string; readonly body: string },
  init: RequestInit = { method: "POST" },
): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const origin = `http://127.0.0.1:${address.port}`;
  const place = { origin, addresses: ["127.0.0.1"], streams: 0, underWay: 0 };
  const response = await makePinnedFetch(place, (text) => (text.startsWith("{") ? `read ${text}` : null))(
    origin,
    init,
  );
  return response.text();
}

const events = "text/event-stream";

test("each event that counts as a message is read: one without a kind, with an empty one, and with that at last", async (t) => {
  const read = (body: string) => readAnswer(t, { status: 200, type: events, body });
  for (const kind of [
    "",
    "event:\n",
    "event\n",
    "event: message\n",
    "event: x\nevent: message\n",
    "event: x\nevent:\n",
  ])
    assert.equal(await read(`${kind}data: {}\n\n`), `:\n${kind}data: read {}\n\n`, kind);
  for (const kind of ["event: x\n", "event: message\nevent: x\n"])
    assert.equal(await read(`${kind}data: {}\n\n`), `:\n${kind}data: {}\n\n`, kind);
  const marked = await read("\uFEFF\uFEFFdata: {}\n\n");
  assert.equal(marked, ":\n\uFEFFdata: {}\n\n", "a further mark is not the first of the stream any more");
});

test("whatever the library takes a message from is read: each status and type that it does", async (t) => {
  const message = "data: {}\n\n";
  for (const status of [200, 201, 206]) {
    assert.equal(await readAnswer(t, { status, type: events, body: message }), ":\ndata: read {}\n\n");
    assert.equal(await readAnswer(t, { status, type: "Application/JSON; a=b", body: "{}" }), "read {}");
  }
  for (const type of ["application/json", "text/plain", events])
    assert.equal(await readAnswer(t, { status: 400, type, body: "{}" }), "read {}", type);
  for (const type of ["application/json", "text/plain", events]) {
    const stream = { method: "GET", headers: { accept: "text/event-stream" } };
    assert.equal(
      await readAnswer(t, { status: 200, type, body: message }, stream),
      ":\ndata: read {}\n\n",
      type,
    );
  }
  const json = { method: "GET", headers: { accept: "application/json" } };
  assert.equal(await readAnswer(t, { status: 200, type: "application/json", body: "{}" }, json), "read {}");
  assert.equal(
    await readAnswer(t, { status: 200, type: "application/json", body: "\uFEFF\uFEFF{}" }),
    "read {}",
  );
  assert.equal(await readAnswer(t, { status: 404, type: "text/html", body: "<html>" }), "<html>");
});

test("a server that wants many answers at once gets few, so that it takes no socket of the agent from others", async (t) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = new AbortController();
  t.after(() => {
    stop.abort();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const origin = `http://127.0.0.1:${address.port}`;
  const place = { origin, addresses: ["127.0.0.1"], streams: 0, underWay: 0 };
  let refused = 0;
  const send = makePinnedFetch(place);
  const ends: Promise<string>[] = [];
  const { promise: tenRefused, resolve } = Promise.withResolvers<void>();
  for (let count = 0; count < 30; count += 1)
    ends.push(
      send(origin, { method: "POST", signal: stop.signal }).then(
        () => "answered",
        (error: Error) => {
          if (error.message === "it wants more than 20 answers at once") refused += 1;
          if (refused === 10) resolve();
          return error.message;
        },
      ),
    );
  await tenRefused;
  stop.abort();
  await Promise.all(ends);
  assert.equal(refused, 10);
  while (place.underWay > 0) await pause(1);
});
