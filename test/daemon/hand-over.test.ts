import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("a command whose daemon begins to hand over while it connects waits for the new one, and takes nothing for itself", async (t) => {
  const world = await makeWorld(t);
  await (await world.open())[Symbol.asyncDispose]();
  const mark = join(world.state, "handing-over");
  const listen = async (came: () => void): Promise<Server> => {
    const server = createServer((connection) => {
      came();
      connection.destroy();
    });
    server.listen(join(world.state, "run", "passepartout.sock"));
    await once(server, "listening");
    return server;
  };
  const daemon = await listen(() => {
    writeFileSync(mark, "1\n");
    daemon.close();
  });
  const gone = once(daemon, "close");
  const opened = world.open();
  await gone;
  const often = Promise.withResolvers<string>();
  let tries = 0;
  const next = await listen(() => {
    tries += 1;
    if (tries === 5) often.resolve("tries again");
  });
  assert.equal(await Promise.race([often.promise, opened]), "tries again");
  next.close();
  rmSync(mark);
  await (await opened)[Symbol.asyncDispose]();
});
