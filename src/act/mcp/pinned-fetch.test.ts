import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makePinnedFetch } from "./pinned-fetch.ts";

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
