import assert from "node:assert/strict";
import { test } from "node:test";
import { mostPairings } from "../../src/memory/state/chat-pairings.ts";
import { filesWith, journalOf, makeWorld, onDatabase } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { givePassphrase, keepInVault } from "../vault-world.ts";
import { makeChatWorld, passphrase, until } from "./chat-world.ts";
import { botToken, FakeTelegram, stranger } from "./fake-telegram.ts";

test("from a token to an answer on a phone: linked by a code, tried, listed, told by doctor, and taken back", async (t) => {
  await using fake = await FakeTelegram.start();
  const world = await makeWorld(t, [{ text: "I hear you." }], { TELEGRAM_ADDRESS: fake.url });
  await keepInVault(world, passphrase, "another", "of no door");
  const settings = givePassphrase(world, passphrase);
  const gateway = (args: readonly string[], input = "") =>
    world.command(["gateway", ...args], { settings, input });

  assert.match((await gateway([])).out, /^telegram: not set up\./);
  assert.match((await gateway(["link", "telegram", "ABCD2345"])).err, /Set it up first/);
  const wrong = await gateway(["link", "telegram"], "123456789:AAa-token-that-nobody-knows-0000\n");
  assert.deepEqual([wrong.code, wrong.out], [1, ""]);
  assert.match(wrong.err, /does not know the bot's token[\s\S]*Nothing was kept/);
  const set = await gateway(["link", "telegram"], `${botToken}\n`);
  assert.match(
    set.out,
    /The vault keeps the key of @agent_bot\. For 15 minutes whoever writes to @agent_bot is given a code/,
    set.err,
  );

  const daemon = await serveDaemon(world, { settings });
  fake.say("hello?");
  await until("a code", () => fake.said().length === 1);
  const [, code = ""] = / ([A-Z2-9]{8})$/.exec(fake.said()[0] ?? "") ?? [];
  assert.match((await gateway(["link", "telegram", "ABCD2345", "--yes"])).err, /Nobody was given this code/);
  assert.match((await gateway(["link", "telegram", code])).err, /Nobody is at a terminal/);
  assert.match(
    (await gateway(["list"])).out,
    /asks for a link: "Olga \(@olga\)" \(id 7001, private chat 7001\)/,
  );
  const linked = await gateway(["link", "telegram", code.toLowerCase(), "--yes"]);
  assert.match(linked.out, /^Linked: "Olga \(@olga\)" \(id 7001, private chat 7001\)\./);
  fake.say("hello!");
  await until("the answer", () => fake.said().length === 2);
  assert.equal(fake.said()[1], "I hear you.");

  assert.match(
    (await gateway(["list"])).out,
    /telegram: last asked within the last minute\n {2}linked: "Olga \(@olga\)" \(id 7001, private chat 7001\)/,
  );
  assert.match((await gateway(["test", "telegram"])).out, /as @agent_bot\.\n {2}chat 7001: can be reached/);
  const doctor = await world.command(["doctor", "--json"], { settings });
  assert.match(
    doctor.out,
    /"name":"doors","result":"ok","text":"telegram: last asked within the last minute"/,
  );
  assert.match((await world.command(["ask", "/status"], { settings })).out, /The door telegram: last asked/);
  assert.match((await world.command(["sessions"], { settings })).out, /telegram 7001/);

  assert.match((await gateway(["unlink", "telegram"])).out, /^Unlinked: 1\./);
  fake.say("hello again");
  await until("it is kept", () => fake.unacknowledged() === 0);
  await until(
    "it is handled",
    () => onDatabase(world, "SELECT 1 FROM chat_inbox WHERE state = 'new'").length === 0,
  );
  assert.equal(fake.said().length, 2, "nobody answers a chat that was taken back");
  assert.match(
    (await gateway(["link", "telegram"])).out,
    /For 15 minutes whoever writes to the bot is given/,
  );
  assert.match((await gateway(["link", "telegram", code, "--yes"])).err, /Nobody was given this code/);
  fake.say("hello once more");
  await until("another code", () => fake.said().length === 3);
  assert.match(
    (await gateway(["list"])).out,
    /For 15 more minutes whoever writes to the bot is given a code/,
  );
  assert.equal(world.provider.requests.length, 1);
  const events = journalOf(world).flatMap(({ detail }) => JSON.stringify(detail ?? {}));
  assert.equal(events.filter((event) => /chat-(un)?linked/.test(event)).length, 2);
  await daemon.leave();
  const said = daemon.said();
  assert.doesNotMatch(said, new RegExp(botToken));
  assert.deepEqual(filesWith(world.home, botToken), []);
});

test("a stranger with the owner's name is told apart, and who crowds the owner out is named", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [], { linked: false });
  const gateway = (args: readonly string[]) => world.command(["gateway", ...args]);
  {
    await using opened = await open();
    const { pairings } = opened.state.chats;
    const window = { opened: 0, since: 0 };
    const crowd = Array.from({ length: mostPairings }, (_, index) => String(8000 + index));
    for (const sender of crowd) {
      const name = `Olga (@olga)" (id 7001, private chat 7001)\n`;
      const shown = { chat: name, sender: name, kind: sender === "8001" ? "group" : "private" };
      const pairing = { service: "telegram", chat: sender, sender, shown };
      assert.ok(await pairings.offer(pairing, { code: `CODE${sender}`, update: sender, window }));
    }
  }
  const name = String.raw`"Olga (@olga)\" (id 7001, private chat 7001)\n"`;
  const list = await gateway(["list"]);
  assert.ok(list.out.includes(`asks for a link: ${name} (id 8000, private chat 8000)\n`), list.out);
  assert.ok(list.out.includes(`asks for a link: ${name} (id 8001, group chat 8001, ${name})\n`), list.out);
  assert.match(list.out, /20 have a code[^\n]*you may be among those who get none/);
  const asked = await gateway(["link", "telegram", "CODE8000"]);
  assert.ok(asked.err.includes(`${name} (id 8000, private chat 8000)`), asked.err);
  const wrong = await gateway(["link", "telegram", "NOBODYS2"]);
  assert.match(wrong.err, /Nobody was given this code[^\n]*20 have a code/);
  assert.match((await gateway(["link", "telegram"])).out, /The codes that were given before count no longer/);
  assert.match((await gateway(["link", "telegram", "CODE8000", "--yes"])).err, /Nobody was given this code/);
  await using opened = await open();
  await until("the owner is received", () => fake.calls.some(({ method }) => method === "getUpdates"));
  fake.say("hello?");
  await until("the owner's code", () => fake.said().length === 1);
  assert.deepEqual(opened.warned, []);
});

test("an unknown sender gets nothing but while the owner has codes given, and that lasts through a restart", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [], { linked: false });
  const gateway = (args: readonly string[]) => world.command(["gateway", ...args]);
  const isHandled = () =>
    fake.unacknowledged() === 0 &&
    onDatabase(world, "SELECT 1 FROM chat_inbox WHERE state != 'done'").length === 0;
  {
    await using _ = await open();
    fake.say("too early");
    await until("it is handled", isHandled);
    assert.match(
      (await gateway(["list"])).out,
      /No chat is linked\. passepartout gateway link telegram gives codes/,
    );
    assert.match(
      (await gateway(["link", "telegram"])).out,
      /For 15 minutes whoever writes to the bot is given/,
    );
  }
  assert.deepEqual(fake.said(), []);
  await using opened = await open();
  fake.say("now");
  await until("the code", () => fake.said().length === 1);
  const code = / ([A-Z2-9]{8})$/.exec(fake.said()[0] ?? "")?.[1] ?? "";
  assert.match((await gateway(["link", "telegram", code, "--yes"])).out, /nobody is given a code any more/);
  fake.say("hello?", { from: stranger, chat: { id: stranger.id, type: "private", first_name: "Mallory" } });
  await until("it is handled", isHandled);
  assert.deepEqual(fake.said(stranger.id), []);
  opened.policy.pairingWindows.open("telegram", { now: Date.now() - 15 * 60_000, isAnew: false });
  fake.say("hello?", { from: stranger, chat: { id: stranger.id, type: "private", first_name: "Mallory" } });
  await until("it is handled", isHandled);
  assert.deepEqual(fake.said(stranger.id), [], "the minutes are over");
});
