import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, makeWorld, onDatabase, providerKey, sent, talkTo } from "../agent-world.ts";

const good = `#+TITLE: Dice
#+TRIGGER_WORDS: dice, roll

#+begin_prompt
Call throw-dice where the owner wants dice thrown.
#+end_prompt

#+begin_src typescript
export const tools = {
  "throw-dice": {
    description: "Throw a die",
    parameters: { sides: { type: "integer" } },
    run: ({ sides }: { sides: number }) => 1 + Math.floor(Math.random() * sides),
  },
};
#+end_src

#+begin_src typescript :test one side
equal(skill.tools["throw-dice"].run({ sides: 1 }), 1);
#+end_src
`;
const fence = (text: string): string => `Here it is:\n\`\`\`org\n${text}\`\`\`\n`;
const placeOf = (world: AgentWorld, ...path: string[]): string =>
  join(world.configuration, "skills", ...path);

test("a sentence becomes a draft that was tried in the jail, is shown whole and is in force only after the yes", async (t) => {
  const world = await makeWorld(t, [{ when: "throw dice for me", text: fence(good) }]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(
    join(world.home, "memex", "dice.org"),
    "* Dice\n:PROPERTIES:\n:ID: d1\n:END:\nthrow dice for me: use loaded dice\n",
  );
  const drafted = await world.command(["skill", "new", "dice", "throw", "dice", "for", "me"]);
  assert.equal(drafted.code, 1);
  assert.match(drafted.out, /^ {4}│ #\+TRIGGER_WORDS: dice, roll$/m);
  assert.match(drafted.out, /^tools: throw-dice \(Throw a die\)$/m);
  assert.match(drafted.out, /^test one side: passed$/m);
  assert.match(drafted.err, /Nobody is here to say yes/);
  assert.match(drafted.err, /drafts\/dice\.org and is not in force/);
  assert.equal(world.provider.requests.length, 1);
  const body = JSON.parse(sent(world, 0)) as { tools?: unknown };
  assert.equal(body.tools, undefined);
  assert.doesNotMatch(sent(world, 0), /loaded dice/);
  const [booked] = onDatabase(world, "SELECT job, state FROM ledger");
  assert.deepEqual({ ...booked }, { job: "skill-new", state: "settled" });
  const listed = await world.command(["skill", "list"]);
  assert.match(listed.out, /^dice +Org +draft\n.*not in force/m);
  assert.equal(listed.code, 0);
  const talked = await world.command(["ask", "/skill"]);
  assert.match(talked.out, /^dice +draft\n.*not in force.*passepartout skill enable dice$/m);
  assert.match((await world.command(["ask", "/skill show dice"])).out, /^dice: draft\./m);
  assert.match(
    (await world.command(["ask", "/skill new cards"])).out,
    /Say in a sentence.*\/skill new cards SENTENCE/,
  );
  assert.equal(existsSync(placeOf(world, "dice.org")), false);
  const enabled = await world.command(["skill", "enable", "dice", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  const text = readFileSync(placeOf(world, "dice.org"), "utf8");
  assert.match(text, /^:PROPERTIES:\n:ID: [0-9a-f-]{36}\n:END:\n#\+TITLE: Dice\n/);
  assert.equal(existsSync(placeOf(world, "drafts", "dice.org")), false);
  assert.match((await world.command(["skill", "show", "dice"])).out, /^dice: in force$/m);
});

test("a draft that fails goes back with its error twice, and then is left as a file that is not in force, with the reason", async (t) => {
  const bad = good.replace("), 1);", "), 7);");
  const world = await makeWorld(t, [
    { text: fence(bad) },
    {
      when: "the test 'one side' failed",
      text: fence(good.replace("#+TITLE: Dice", "#+TITLE: Dice\n#+MANDATE: Always throw.")),
    },
    { when: "may have no #+MANDATE:", text: "I would rather not." },
  ]);
  const drafted = await world.command(["skill", "new", "dice", "throw dice", "--json"]);
  assert.equal(drafted.code, 1);
  const data = JSON.parse(drafted.out) as Record<string, unknown>;
  assert.deepEqual([data["state"], data["tries"]], ["refused", 3]);
  assert.match(String(data["problem"]), /no block ```org/);
  assert.equal(world.provider.requests.length, 3);
  assert.match(
    readFileSync(placeOf(world, "drafts", "dice.org"), "utf8"),
    /^# Draft: refused: The answer has no block/m,
  );
  assert.equal((await world.command(["skill", "new", "dice", "throw dice"])).code, 1);
  assert.equal(world.provider.requests.length, 3);
});

test("/skill new drafts in a conversation with the model of that session, and puts nothing in force", async (t) => {
  const world = await makeWorld(t, [
    { when: "throw dice", text: fence(good) },
    { when: "roll", text: "No tool." },
  ]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("/model loop/small");
  const said = await talk.say('/skill new dice "throw dice"');
  assert.equal(said.end, "said");
  assert.match(said.text, /│ #\+TITLE: Dice/);
  assert.match(
    said.text,
    /The draft of dice is not in force\. To put it in force: passepartout skill enable dice/,
  );
  assert.match(sent(world, 0), /"model":"small"/);
  await talk.say("roll the dice");
  assert.doesNotMatch(sent(world, 1), /throw-dice/);
  assert.match((await talk.say("/skill new")).text, /Usage|\/skill \[new NAME WORDS\]/);
});

test("without a model, skill new writes a first file and says so; names that belong to others ask no model", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  const first = await world.command(["skill", "new", "dice", "throw dice"]);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /No model is set up, so .*dice\.org is a first file/);
  assert.ok(existsSync(placeOf(world, "dice.org")));
  for (const name of ["shell", "dice", "../evil", "a/b", "Dice", "/etc/x"]) {
    const refused = await world.command(["skill", "new", name, "throw dice"]);
    assert.equal(refused.code, 1, name);
    assert.match(refused.err, /Nothing was written/, name);
  }
});

test("where no model answers nothing is written, and the exit code says why", async (t) => {
  const world = await makeWorld(t, [{ status: 500, repeat: true }], {
    BUDGET_PER_TURN: "0.0000001",
    LOOP_INPUT_PRICE: "5",
    LOOP_OUTPUT_PRICE: "5",
  });
  const dear = await world.command(["skill", "new", "dice", "throw dice"]);
  assert.equal(dear.code, 5, dear.err);
  const gone = await world.command(["skill", "new", "dice", "throw dice", "--json"], {
    settings: { BUDGET_PER_TURN: "2", CASCADE_TIMEOUT: "3" },
  });
  assert.equal(gone.code, 6, gone.err);
  assert.equal((JSON.parse(gone.out) as Record<string, unknown>)["state"], "none");
  assert.equal(existsSync(placeOf(world, "drafts")), false);
});

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";

test("a sentence with private words or a secret is sent to no model that is not local, and says what to do; to a local one it goes", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "health.org"), `* Health :@personal:\n${passage}\n`);
  const refused = await world.command(["skill", "new", "dice", `tell me that ${passage}`]);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /No draft of dice was made: Nothing was sent\. Some of your words stand in a private text, and loop is not local:\n {2}.*lump in my left lung.*\nThree ways on: say it in other words; choose a local model with \/model; or make the words public with \/public WORDS\. Nothing was written\./,
  );
  const secret = await world.command(["skill", "new", "dice", `call it with ${providerKey}`]);
  assert.equal(secret.code, 1);
  assert.match(secret.err, /hold a secret.*Say it without\. Nothing was written/);
  assert.doesNotMatch(`${secret.err}${secret.out}`, new RegExp(providerKey));
  assert.equal(existsSync(placeOf(world, "drafts")), false);
  {
    await using agent = await world.open();
    const said = await (await talkTo(agent)).say(`/skill new dice tell me that ${passage}`);
    assert.match(said.text, /say it in other words; choose a local model/);
  }
  assert.equal(world.provider.requests.length, 0);
  world.provider.add({ text: fence(good) });
  const local = await world.command(["skill", "new", "dice", `tell me that ${passage}`], {
    settings: {
      PROVIDER_CASCADE: "ollama",
      OLLAMA_BASE_URL: `${world.provider.url}/v1`,
      OLLAMA_HOST: new URL(world.provider.url).host,
    },
  });
  assert.match(local.out, /TRIGGER_WORDS: dice, roll/, local.err);
  assert.ok(world.provider.requests.some(({ body }) => body.includes("lump in my left lung")));
});
