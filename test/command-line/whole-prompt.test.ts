import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";

const messages = z.array(z.looseObject({ content: z.string().nullable() }));
const requestSchema = z.looseObject({ messages, tools: z.array(z.looseObject({})) });
const explainedSchema = z.looseObject({
  system: z.string(),
  messages: z.array(z.looseObject({ text: z.string() })),
  tools: z.array(z.looseObject({})),
  provider: z.looseObject({}).nullable(),
});

/** The body of a request as OpenAI's protocol has it. */
function readRequest(body: string) {
  const { messages: all, tools } = requestSchema.parse(JSON.parse(body));
  return { system: all[0]?.content ?? "", user: all.at(-1)?.content ?? "", tools };
}

test("context --prompt prints what is then sent: instructions, tools, notes and words", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { MEMEX_ASSISTANT: "Jean" });
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), "* Boiler :project:\nServiced in March.\n");
  const shown = await world.command(["context", "--prompt", "--json", "boiler", "serviced"]);
  assert.equal(shown.code, 0, shown.err);
  const told = explainedSchema.parse(JSON.parse(shown.out));
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("boiler serviced");
  const request = readRequest(sent(world, 0));
  const version = /Passepartout \S+\./;
  assert.equal(told.system.replace(version, ""), request.system.replace(version, ""));
  const time = /TIME: [^\n]*/;
  // A provider gets what a person and the program say one after the other as one message.
  const last = told.messages.slice(-2).map(({ text }) => text);
  assert.equal(last.join("\n\n").replace(time, ""), request.user.replace(time, ""));
  assert.equal(told.tools.length, request.tools.length);
  assert.deepEqual(told.provider, { name: "loop", local: false });
  assert.match(
    told.system,
    new RegExp(`Workspace: ${world.workspace}; .*Notes: ${join(world.home, "memex")}\\.`),
  );
});

test("the prompt tells its settings and what happened, and each part that is empty says why", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const shown = async (settings: Readonly<Record<string, string>>): Promise<string> =>
    (await world.command(["context", "--prompt", "hi"], { settings })).out;
  const bare = await shown({});
  assert.match(bare, /^IDENTITY: You are Agent, /m);
  assert.match(
    bare,
    /^CONFIG: Passepartout \d+\.\d+\.\d+\S*\. Providers: loop\. Context: 8192 tokens\. Security gates: 28 active\.$/m,
  );
  assert.match(
    bare,
    /^CONTEXT: empty \(no focus set, no note near\)\.\nLOGS: empty \(nothing happened in this session yet\)\.\nTIME: .*Session: 0 min\.\nRULES: 0 in force\. APPROVALS: 0 pending\.$/m,
  );
  const other = { PROVIDER_CASCADE: "loop,other", OTHER_BASE_URL: "http://127.0.0.1:9/v1" };
  const told = await shown({ ...other, LOOP_CONTEXT_WINDOW: "32000", OTHER_CONTEXT_WINDOW: "32000" });
  assert.match(told, /^CONFIG: .* Providers: loop, other\. Context: 32000 tokens\./m);
});

test("the prompt lists how turns of its own session ended, by code and number, and of no other", async (t) => {
  const refused = calls(["read-file", { path: "/etc/shadow" }]);
  const world = await makeWorld(t, [refused, refused, refused, { text: "Hello.", repeat: true }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("read the passwords")).end, "blocked");
  await talk.say("and now?");
  assert.match(readRequest(sent(world, 3)).user, /^LOGS: blocked 1\.$/m);
  await (await talkTo(daemon)).say("hi");
  assert.match(readRequest(sent(world, 4)).user, /^LOGS: empty/m);
});

test("context --prompt withholds private notes and keys from a provider elsewhere, and says so", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  mkdirSync(join(world.home, "memex"));
  const text = "* Diary :@personal:\nboiler heliotrope\n* Boiler\nboiler key loopback-key-c0ffee-4711\n";
  writeFileSync(join(world.home, "memex", "house.org"), text);
  const shown = await world.command(["context", "--prompt", "boiler", "heliotrope"]);
  assert.doesNotMatch(shown.out, /boiler heliotrope\n\* Boiler|c0ffee/);
  assert.match(
    shown.out,
    /^===== SYSTEM =====\nIDENTITY: You are [\s\S]*===== TOOLS =====\n\{"name":"read-file"[\s\S]*===== USER =====/,
  );
  assert.match(shown.err, /loop would get this, without private text: it is not local\. \d+ bytes/);
  const wrong = await world.command(["context", "--prompt", "--why", "x"]);
  assert.equal(wrong.code, 2);
});

test("without a provider the prompt is shown, and that nothing is sent", async (t) => {
  const world = await makeWorld(t, []);
  const shown = await world.command(["context", "--prompt", "hi"], { settings: { PROVIDER_CASCADE: "" } });
  assert.equal(shown.code, 0);
  assert.match(shown.err, /No provider is set up, so nothing is sent/);
  assert.match(shown.out, /===== USER =====\nhi\n\n===== USER =====\n\[Live state[^=]*$/);
});

test("the system text is the same bytes in each step and turn of a session", async (t) => {
  const world = await makeWorld(t, [
    { calls: [{ name: "list-files", arguments: { path: ".", explanation: "to see what is here" } }] },
    { text: "Listed." },
    { text: "Hello." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("list");
  writeFileSync(world.path("new.txt"), "x");
  await talk.say("and now?");
  const systems = world.provider.requests.map(({ body }) => readRequest(body).system);
  assert.equal(systems.length, 3);
  assert.equal(new Set(systems).size, 1);
});

const leftOutSchema = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  messages: z.array(z.looseObject({ text: z.string() })),
  leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});

test("context --prompt declares the tools of skills and servers as a first turn would, and says what is left out and why", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t, [{ text: "Echoed." }], { TOOL_PERMISSIONS: "fetch-url=deny" });
  const reads = liarEntry(revisions[0], "plain", { own: { tools: { echo: "read" } } });
  setUpServers(world, { liar: reads, other: reads });
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  const code = `export const trigger = ({ text }: { text: string }) => text.includes("echo");
export const tools = { roll: { description: "Roll dice", parameters: {}, run: () => 4 } };`;
  const text = "#+begin_prompt\nEcho it twice.\n#+end_prompt\n";
  writeFileSync(
    join(world.configuration, "skills", "dice.org"),
    `${skillFile(["TITLE: Dice"], code)}${text}`,
  );
  const words = ["echo", "a", "message", "with", "liar"];
  const shown = await world.command(["context", "--prompt", "--json", ...words]);
  const told = leftOutSchema.parse(JSON.parse(shown.out));
  const names = told.tools.map(({ name }) => name);
  for (const name of ["roll", "find-tools", "liar__echo"]) assert.ok(names.includes(name), name);
  assert.match(told.messages.at(-1)?.text ?? "", /\[Skill dice: [\s\S]*Echo it twice\./);
  const why = new Map(told.leftOut.map((one) => [one.what, one.why]));
  assert.equal(why.get("fetch-url"), "TOOL_PERMISSIONS denies it");
  assert.equal(why.get("tangle"), "these words are not about the skill programming-literate");
  assert.equal(why.get("1 server"), "not accepted as it is now: passepartout mcp list");
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say(words.join(" "));
  }
  const request = toolNames.parse(JSON.parse(sent(world, 0)));
  assert.deepEqual(
    request.tools.map((tool) => tool.function.name),
    names,
  );
  const bare = await world.command(["context", "--prompt", "hi"]);
  assert.match(bare.err, /^left out find-tools, liar__echo: these words are about no tool of a server$/m);
  assert.match(bare.err, /^left out .*tangle.*: these words are not about the skill/m);
});

const toolNames = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })),
});
