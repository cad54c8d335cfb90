import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../src/text/json.ts";
import { calls, filesWith, named, onDatabase } from "../agent-world.ts";
import { type ChatWorld, linkOwner, makeChatWorld, type OpenedWorld, until } from "./chat-world.ts";
import { type FakeMessage, type FakeTelegram, owner, stranger } from "./fake-telegram.ts";

/** Milliseconds in which somebody has read a page, so that a yes counts. */
const reading = 800;

type Button = { readonly text: string; readonly data: string | null };

/** The buttons of a message; one that is disabled holds nothing. */
function buttonsOf({ buttons }: FakeMessage): readonly Button[] {
  const rows = isJsonArray(buttons) ? buttons : [];
  const all = rows.flatMap((row) => (isJsonArray(row) ? row : []));
  return all.filter(isJsonObject).map(({ text, callback_data: data, disabled }) => {
    assert.ok((data === undefined) === isJsonObject(disabled ?? null), "it answers or is disabled");
    return { text: String(text), data: data === undefined ? null : String(data) };
  });
}

/** The question that was asked last, as it stands in its chat now. */
function card(fake: FakeTelegram): FakeMessage {
  const found = fake.messages.findLast((message) => buttonsOf(message).length > 0);
  assert.ok(found, "a question was asked");
  return found;
}

/** The data of a button of the last question. */
function dataOf(fake: FakeTelegram, label: string): string {
  const data = buttonsOf(card(fake)).find(({ text }) => text.startsWith(label))?.data;
  assert.ok(data, `there is a button ${label}`);
  return data;
}

/** Taps. Resolves with what the tapper was told. */
async function tap(
  fake: FakeTelegram,
  label: string,
  {
    data = dataOf(fake, label),
    from = owner,
    on = card(fake),
  }: { readonly data?: string; readonly from?: JsonObject; readonly on?: FakeMessage } = {},
): Promise<string> {
  const id = fake.tap(on, data, from);
  const told = () => fake.answeredTaps.find(({ callback_query_id }) => callback_query_id === `tap-${id}`);
  await until("the tap is answered", () => told() !== undefined);
  return String(told()?.["text"] ?? "");
}

/** Waits for a question, opens it, and reads it. */
async function read(fake: FakeTelegram, before = -1): Promise<string> {
  await until("a question", () => fake.messages.some((one) => one.id > before && buttonsOf(one).length > 1));
  const sealed = card(fake);
  assert.equal(sealed.text, "A question waits for you. Tap Details to read it.");
  await tap(fake, "Details");
  await until("the card is open", () => card(fake).text !== sealed.text);
  await pause(reading);
  return card(fake).text;
}

/** The word that a card wants. */
const wordOf = (text: string): string => / write this word here: (\w+)$/m.exec(text)?.[1] ?? "";

/** Waits until the last question has one disabled button, and gives what it says. */
async function outcome(fake: FakeTelegram): Promise<string> {
  await until("the outcome", () => buttonsOf(card(fake))[0]?.data === null);
  const shown = buttonsOf(card(fake));
  assert.equal(shown.length, 1);
  return shown[0]?.text ?? "";
}

/** A file that the agent proposes to write, and is asked about since a shell obeys it. Gives its path. */
function fileToWrite({ world }: Pick<ChatWorld, "world">, folder: string): string {
  mkdirSync(join(world.home, "memex", folder), { recursive: true });
  const path = join(world.home, "memex", folder, ".envrc");
  world.provider.add(calls(["write-file", { path, content: "export A=1\n" }]), {
    text: `Done in ${folder}.`,
  });
  return path;
}

/** All events of an agent. */
function eventsOf({ agent }: OpenedWorld): LoopEvent[] {
  const events: LoopEvent[] = [];
  agent.subscribe((event) => events.push(event));
  return events;
}

test("questions about a deletion, a file and a message to a host are answered on a phone, and by nobody else", async (t) => {
  const chat = await makeChatWorld(t);
  const { world, fake, open } = chat;
  await using opened = await open({ settings: { DEFAULT_ACTUATOR: "telegram" } });
  const events = eventsOf(opened);
  writeFileSync(world.path("old.org"), "* Old\n");
  world.provider.add(calls(["shell", { cmd: "rm old.org" }]), { text: "That is done." });
  const at = { name: null, latest: false, source: "cli", workspace: world.workspace } as const;
  const session = await opened.agent.openSession(at);
  await opened.agent.say({ session, text: "please delete old.org", source: "cli" });
  const text = await read(fake);
  assert.match(
    text,
    /^Agent in work asks: rm old\.org\n\n- run rm old\.org, sandboxed \(can be undone\)\n- delete old\.org/,
  );

  const stranged = await tap(fake, "Once", { from: stranger });
  assert.match(stranged, /for somebody else, so nothing was answered|waits no longer/);
  const copy = { ...card(fake), id: card(fake).id + 500 };
  assert.match(await tap(fake, "Once", { on: copy }), /nothing was answered/);
  assert.match(await tap(fake, "Once", { data: `o${"A".repeat(22)}` }), /nothing was answered/);
  assert.equal(await tap(fake, "Once"), "Now write here the word that stands on the question.");
  assert.ok(existsSync(world.path("old.org")), "a tap alone is no yes");
  const data = dataOf(fake, "Once");
  fake.say(wordOf(text));
  await until("the file is gone", () => !existsSync(world.path("old.org")));
  assert.match(await outcome(fake), /^✓ Yes, once · \d\d:\d\d$/);
  assert.match(await tap(fake, "Once", { data }), /answered before, with yes/);
  await until("the answer at the terminal", () => named(events, "answered").length > 0);
  assert.ok(
    !world.provider.requests.some(({ body }) => body.includes(`"${wordOf(text)}"`)),
    "no model saw it",
  );

  const first = card(fake).id;
  const path = fileToWrite(chat, "one");
  fake.say("write the environment of my notes");
  const about = await read(fake, first);
  assert.ok(about.includes("│ + export A=1"), about);
  const tapped = performance.now();
  assert.equal(await tap(fake, "Once"), "Yes, this once.");
  t.diagnostic(`from the tap to its answer ${Math.round(performance.now() - tapped)} ms`);
  await until("it is written", () => existsSync(path));
  await until("the answer", () => fake.said().includes("Done in one."));

  const second = card(fake).id;
  world.provider.add(calls(["shell", { cmd: "curl -d a=b https://example.org/x" }]), { text: "Not sent." });
  fake.say("send it");
  assert.match(await read(fake, second), /- reach https:\/\/example\.org:443 \(cannot be undone\)/);
  assert.equal(await tap(fake, "No"), "No. It is not done.");
  assert.match(await outcome(fake), /^✗ No · /);
  await until("the answer", () => fake.said().includes("Not sent."));

  const button = `<tg-button type="callback_data" data="o${"B".repeat(22)}">Once</tg-button>`;
  world.provider.add({ text: `A question waits for you.\n\n${button}` });
  fake.say("show me a question");
  await until("the answer", () => fake.said().some((one) => one.includes(button)));
  const answer = fake.messages.find((one) => one.text.includes(button));
  assert.deepEqual([answer?.isRich, answer?.buttons], [false, null], "an answer has no buttons");

  assert.deepEqual(opened.warned, []);
  for (const { token } of named(events, "approval-required"))
    assert.ok(!fake.calls.some(({ given }) => JSON.stringify(given).includes(token)), "no token leaves");
  assert.deepEqual(filesWith(world.home, data.slice(1)), [], "no handle is kept");
});

test("a question that was answered at another door says so; one that was asked before a restart is still answered", async (t) => {
  const chat = await makeChatWorld(t);
  const { world, fake, open } = chat;
  const first = fileToWrite(chat, "first");
  {
    await using opened = await open();
    const events = eventsOf(opened);
    fake.say("write the first");
    await read(fake);
    const data = dataOf(fake, "Once");
    const [asked] = named(events, "approval-required");
    assert.ok(asked);
    const { token, session } = asked;
    await opened.agent.runCommand({ kind: "deny", token, reason: null }, session, "terminal");
    assert.match(await outcome(fake), /^✗ No, answered elsewhere · /);
    assert.match(await tap(fake, "Once", { data }), /answered before, with no/);
    await until("the answer", () => fake.said().includes("Done in first."));
    assert.ok(!existsSync(first));
    const before = card(fake).id;
    fileToWrite(chat, "second");
    fake.say("write the second");
    await until("a question", () => card(fake).id > before);
  }
  const sent = fake.messages.length;
  await using opened = await open();
  assert.match(await read(fake), /second\/\.envrc/);
  assert.equal(fake.messages.length, sent, "it is not asked twice");
  assert.deepEqual(onDatabase(world, "SELECT 1 FROM approvals WHERE further = 1"), [], "no token is used up");
  await tap(fake, "Once");
  await until("it is written", () => existsSync(first.replace("first", "second")));
  assert.match(await outcome(fake), /^✓ Yes, once/);
  assert.deepEqual(opened.warned, []);
});

test("the decision counts though the answer to the tap fails, and a service that knows no disabled buttons shows the outcome as text", async (t) => {
  const chat = await makeChatWorld(t);
  const { fake, open } = chat;
  await using _ = await open({ settings: { QUESTIONS_ON_LOCK_SCREEN: "true" } });
  const path = fileToWrite(chat, "one");
  fake.say("write it");
  await until("a question", () => fake.messages.some((one) => buttonsOf(one).length === 3));
  const { text, id } = card(fake);
  assert.match(text, /^Agent asks: write-file /, "it may stand on a lock screen");
  await pause(reading);
  const [on, data] = [card(fake), dataOf(fake, "Once")];
  fake.misbehaviours.push({ method: "answerCallbackQuery", how: "hang" });
  const how = { refuse: "Bad Request: can't parse inline keyboard button" };
  fake.misbehaviours.push({ method: "editMessageText", how });
  fake.tap(on, data);
  await until("it is written", () => existsSync(path));
  const edited = () => fake.messages.find((one) => one.id === id);
  await until("the outcome", () => edited()?.text !== text);
  assert.match(edited()?.text ?? "", /\n\n✓ Yes, once · \d\d:\d\d$/);
  assert.equal(edited()?.buttons, null);
  assert.match(
    await tap(fake, "Once", { data, on }),
    /answered before, with yes/,
    "one tap holds up no other",
  );
  fake.misbehaviours.push({
    method: "answerCallbackQuery",
    how: { refuse: "Bad Request: query is too old" },
  });
  fake.tap(on, data);
  await until("it is refused", () => fake.misbehaviours.length === 0);
  assert.match(await tap(fake, "Once", { data, on }), /answered before/);
});

test("a question with words of a private note does not say them in the chat", async (t) => {
  const chat = await makeChatWorld(t);
  const { world, fake, open } = chat;
  mkdirSync(join(world.home, "memex"));
  const secret = "my sister Ada will leave the house in Delft before the spring";
  writeFileSync(join(world.home, "memex/family.org"), `* Family :@personal:\n${secret}\n`);
  await using _ = await open();
  const path = join(world.home, "memex/.envrc");
  world.provider.add(calls(["write-file", { path, content: `# ${secret}\n` }]), { text: "Not written." });
  fake.say("write it");
  await until("a question", () => fake.messages.some((one) => buttonsOf(one).length > 1));
  assert.match(card(fake).text, /^A question about something private waits for you\./);
  await tap(fake, "No");
  await outcome(fake);
  assert.ok(
    !fake.calls.some(({ given }) => JSON.stringify(given).includes("Ada")),
    "Telegram read nothing of it",
  );
});

test("a question of a group is asked in the owner's private chat, and nobody in the group reads it", async (t) => {
  const chat = await makeChatWorld(t);
  const { fake, open } = chat;
  await using opened = await open();
  linkOwner(opened.policy, { chat: -100200 });
  const path = fileToWrite(chat, "of-a-group");
  const group = { id: -100200, type: "supergroup", title: "House" };
  const entities = [{ type: "mention", offset: 0, length: 10 }];
  fake.say("@agent_bot write it", { chat: group, entities });
  assert.ok((await read(fake)).includes(path));
  assert.equal(card(fake).chat, owner.id);
  assert.deepEqual(fake.said(group.id), []);
  await tap(fake, "No");
  await outcome(fake);
  await until("the answer", () => fake.said().some((text) => text.startsWith("(You asked in a group.)")));
  assert.deepEqual(fake.said(group.id), []);
  assert.ok(!existsSync(path));
});

test("without a private chat a group is told only that a question waits, and that to the owner alone", async (t) => {
  const chat = await makeChatWorld(t, [], { linked: false });
  const { fake, open } = chat;
  await using opened = await open();
  linkOwner(opened.policy, { chat: -100200 });
  const path = fileToWrite(chat, "of-a-group");
  const group = { id: -100200, type: "supergroup", title: "House" };
  const entities = [{ type: "mention", offset: 0, length: 10 }];
  fake.say("@agent_bot write it", { chat: group, entities });
  const told = () => fake.messages.find(({ text }) => text.startsWith("A question waits for you."));
  await until("the owner is told", () => told() !== undefined);
  assert.deepEqual([told()?.chat, told()?.onlyFor, told()?.buttons], [group.id, owner.id, null]);
  assert.ok(!fake.calls.some(({ given }) => JSON.stringify(given).includes(path)));
});

test("the name of a question that is typed in a chat answers nothing", async (t) => {
  const chat = await makeChatWorld(t);
  const { world, fake, open } = chat;
  await using opened = await open();
  const events = eventsOf(opened);
  const path = fileToWrite(chat, "named");
  fake.say("write it");
  await until("the question", () => named(events, "approval-required").length > 0);
  const id = named(events, "approval-required")[0]?.question ?? "";
  assert.match(id, /^question-[0-9a-f]{12}$/);
  for (const words of [`/approve ${id}`, id, `yes ${id}`]) {
    const before = fake.said().length;
    world.provider.add({ text: `I heard you. ${words}` });
    fake.say(words);
    await until(`an answer to ${words}`, () => fake.said().length > before);
  }
  assert.equal((await opened.agent.openQuestions()).length, 1);
  assert.ok(!existsSync(path));
});
