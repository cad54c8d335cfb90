import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
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
const done = { text: "Done." };
const delegates = (...tasks: readonly string[]): Step =>
  calls(["delegate", { tasks: tasks.map((task) => ({ task, tools: ["bank__send_money"] })) }]);

/** How many payments the bank got for one request. */
async function countPayments(t: TestContext, ...steps: readonly Step[]): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bank-")));
  t.after(() => removeFolder(folder));
  const [program, log] = [join(folder, "bin/bank.cjs"), join(folder, "log/payments")];
  for (const name of ["bin", "log"]) mkdirSync(join(folder, name));
  writeFileSync(program, bank);
  const world = await makeWorld(t);
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
  world.provider.add(...steps);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say(`Pay 50 euros to ${recipient}`);
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
}

test("one request licenses one act over the turn and all its sub-tasks, one after the other", {
  skip: withoutSandbox,
}, async (t) => {
  assert.equal(await countPayments(t, pay, delegates("A"), pay, done, done), 1);
  assert.equal(await countPayments(t, delegates("A"), pay, done, pay, done), 1);
  assert.equal(await countPayments(t, delegates("A"), pay, done, delegates("B"), pay, done, done), 1);
});

test("one request licenses one act over sub-tasks that run side by side", {
  skip: withoutSandbox,
}, async (t) => {
  const inPart = (part: string) => [pay, pay, done].map((step) => ({ ...step, when: part }));
  const tasks = [...inPart("PART-A"), ...inPart("PART-B")];
  assert.equal(await countPayments(t, delegates("PART-A", "PART-B"), ...tasks, done), 1);
});
