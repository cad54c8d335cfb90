import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { isAcceptance, listenTo, textOf } from "../daemon/wire-client.ts";
import type { Step } from "../loopback-provider.ts";
import { setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";
import { removeFolder } from "../remove-folder.ts";

/** A server over standard input and output that notes each payment in the file LOG. */
const bank = `
const { createInterface } = require("node:readline");
const { appendFileSync } = require("node:fs");
const properties = { recipient: { type: "string" }, amount: { type: "number" } };
const tools = [{ name: "send_money", description: "Pays", inputSchema: { type: "object", properties } }];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "tools/call") appendFileSync(process.env.LOG, JSON.stringify(params.arguments) + "\\n");
  const result = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "b", version: "1" } },
    "tools/list": { tools },
    "tools/call": { content: [{ type: "text", text: "paid" }] },
  }[method];
  const answer = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});`;

const recipient = "GB29NWBK60161331926819";
const pay = calls(["bank__send_money", { recipient, amount: 50 }]);
const write = calls(["write-file", { path: "plain.txt", content: "words of the model" }]);
const done = { text: "Done." };

type Course = {
  /** What the model answers; the answer `held` comes once the later words were accepted. */
  readonly steps: (held: Promise<void>) => readonly Step[];
  /** How many requests there are when the later words are said. */
  readonly reached: number;
  readonly later: string;
};

/** Asks for a payment, and says something to the turn that runs while its model thinks. */
async function runWith(t: TestContext, { steps, reached, later }: Course) {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bank-")));
  t.after(() => removeFolder(folder));
  const [program, log] = [join(folder, "bin/bank.cjs"), join(folder, "log/payments")];
  for (const name of ["bin", "log"]) mkdirSync(join(folder, name));
  writeFileSync(program, bank);
  const world = await makeWorld(t, steps(held));
  const send_money = { effect: "financial", critical: ["recipient", "amount"], destinations: ["recipient"] };
  setUpServers(world, {
    bank: {
      command: process.execPath,
      args: [program],
      env: { LOG: log },
      passepartout: { read: [join(folder, "bin")], write: [join(folder, "log")], tools: { send_money } },
    },
  });
  assert.equal((await world.command(["mcp", "accept", "bank", "--yes"])).code, 0);
  const daemon = await serveDaemon(world);
  const { client, message } = listenTo(t, world, daemon);
  const say = (text: string, more = {}): void => {
    const payload = { sensor: "user-input", text, ...more };
    assert.ok(client.send({ type: "event", id: text, meta: { "session-id": "one" }, payload }).ok);
  };
  say(`Pay 50 euros to ${recipient}`);
  await world.provider.reached(reached);
  say(later, { steer: true });
  await message((said) => isAcceptance(said, later));
  goOn();
  await message((said) => textOf(said) === "Done.");
  const payments = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
  const bodies = world.provider.requests.map(({ body }) => body);
  return { payments, bodies, wrote: existsSync(join(world.workspace, "plain.txt")) };
}

const no = "Stop! Do not pay anything.";

test("words that take an order back count before the next act that rests on it", {
  skip: withoutSandbox,
}, async (t) => {
  const steps = (after: Promise<void>) => [{ ...pay, after }, done];
  const { payments, bodies } = await runWith(t, { steps, reached: 1, later: no });
  assert.equal(payments, 0);
  assert.match(bodies[1] ?? "", /Do not pay anything/);
  assert.match(bodies[1] ?? "", /the owner said something new to this request/);
});

test("an order that other words leave in force is carried out once the model has read them", {
  skip: withoutSandbox,
}, async (t) => {
  const steps = (after: Promise<void>) => [{ ...pay, after }, pay, done];
  const { payments } = await runWith(t, { steps, reached: 1, later: "Answer in German, please." });
  assert.equal(payments, 1);
});

test("an act that rests on no words of the owner goes on while new ones wait", {
  skip: withoutSandbox,
}, async (t) => {
  const steps = (after: Promise<void>) => [{ ...write, after }, done];
  const { wrote, bodies } = await runWith(t, { steps, reached: 1, later: no });
  assert.equal(wrote, true);
  assert.equal(bodies.length, 2);
});

test("a sub-task does nothing by words that the owner may have taken back in the turn that began it", {
  skip: withoutSandbox,
}, async (t) => {
  const delegate = calls(["delegate", { tasks: [{ task: "PART-A", tools: ["bank__send_money"] }] }]);
  const steps = (after: Promise<void>) => [
    delegate,
    { ...pay, after, when: "PART-A" },
    { text: "Not paid.", when: "PART-A" },
    done,
  ];
  const { payments, bodies } = await runWith(t, { steps, reached: 2, later: no });
  assert.equal(payments, 0);
  assert.match(bodies.at(-1) ?? "", /Do not pay anything/);
});
