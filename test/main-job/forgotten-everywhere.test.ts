import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { type AgentWorld, calls, onDatabase, sent, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";
import { startEmbeddingServer } from "../embedding-server.ts";
import type { Step } from "../loopback-provider.ts";

/** Words that stand nowhere else. */
const canary = "Zyxheron4711";

const skill = `#+TITLE: Words
#+TRIGGER_WORDS: ALPHA

#+begin_src typescript
export const tools = {
  "last-word": {
    description: "The word before the last",
    parameters: { text: { type: "string" } },
    run({ text }: { text: string }): string {
      return text.split(" ").at(-2)!.trim();
    },
  },
};
#+end_src

#+begin_src typescript :test of two words
equal(skill.tools["last-word"].run({ text: "one two" }), "one");
#+end_src
`;
const fix = `\`\`\`diff
--- words.org
+++ words.org
@@ -9,1 +9,1 @@
-      return text.split(" ").at(-2)!.trim();
+      return (text.split(" ").at(-2) ?? "").trim();
\`\`\``;

const when = (word: string, ...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, when: word }));
const bad = ["last-word", { text: canary }] as const;
const findName = calls(["recall", { query: "how did we name the boat" }]);

/** What the models answer. Each says the canary only after something showed it to them. */
const steps: readonly Step[] = [
  ...when("Mend its code", { text: fix }),
  ...when("ALPHA", calls(bad, bad, bad), calls(["shell", { cmd: `touch -c ${canary}` }]), {
    text: `The boat is ${canary}.`,
  }),
  ...when("TASK-C", findName, { text: `It is ${canary}.` }),
  ...when(
    "BRAVO",
    calls(["delegate", { tasks: [{ task: "TASK-C find the name of the boat", tools: ["recall"] }] }]),
    calls(["remember", { text: `The boat bears the name ${canary}` }]),
    { text: `It is called ${canary}.` },
  ),
  ...Array.from({ length: 3 }, () =>
    when("DELTA", findName, calls(["recall", { query: `boat ${canary}` }]), { text: `It is ${canary}.` }),
  ).flat(),
  ...when("ECHO", { text: "Not much." }),
  // A heartbeat may have the scribe write before the test does. Last, since what is recalled may have these words.
  ...when("for a diary", ...Array.from({ length: 10 }, () => ({ text: `1. The boat is the ${canary}.` }))),
];

/** Files that may hold the canary, by their path in the home, each with its reason; docs/memory.md says the same. */
const exceptions: readonly (readonly [path: RegExp, why: string])[] = [
  [
    /^\.local\/state\/passepartout\/journal(?:-\d+)?\.jsonl$/,
    "the journal names what was judged: commands and paths",
  ],
];

/**
 * The files below a home that hold the canary in any case, also packed. Every byte of a database counts, with
 * its free pages and its log: whatever the agent writes in the background puts pages into the log again.
 */
function holders(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      const texts = [bytes, ...(isPacked ? [gunzipSync(bytes)] : [])].map((one) => one.toString("latin1"));
      return [relative(home, path), ...texts].some((text) =>
        text.toLowerCase().includes(canary.toLowerCase()),
      );
    })
    .map((path) => relative(home, path).replace(/\.db-wal$/, ".db"));
}

/** Waits until the files that hold the canary without a reason are these: vectors go in the background. */
async function leftIn(world: AgentWorld, wanted: readonly string[]): Promise<void> {
  const left = (): readonly string[] =>
    [...new Set(holders(world.home))]
      .filter((path) => !exceptions.some(([pattern]) => pattern.test(path)))
      .toSorted();
  for (let tries = 0; tries < 1200 && left().join() !== wanted.join(); tries += 1) await pause(100);
  assert.deepEqual(left(), wanted);
}

/** A turn that says the canary, and all that grows from it: by a question, a skill that fails, a fork, a sub-task, a job, the scribe, self-repair, a reflex, vectors. */
async function grow(t: TestContext) {
  const server = await startEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const { world, agent, notes } = await openJobs(
    t,
    steps,
    ({ workspace }) => [
      "#+TITLE: Jobs",
      "",
      entry("brief", "DELTA say what the boat is called.", [`:FOLDER: ${workspace}`, ":DOLLARS: 1"]),
    ],
    {
      REFLEX_AFTER: "1",
      REFLEX_TRIALS: "1",
      COGNITION_MODEL: "loop",
      EMBEDDING_PROVIDER: "ollama",
      OLLAMA_BASE_URL: server.url,
      HEARTBEAT_INTERVAL: "1",
    },
  );
  writeFileSync(join(notes, "inbox.org"), "#+TITLE: Inbox\n\n* Mine\nstays\n");
  const heard = server.heard(canary);
  const { alpha, turn } = await begin(world, agent);
  await heard;
  const bravo = await talkTo(agent);
  const said = await bravo.say("BRAVO let somebody find out how we named it, and remember it");
  assert.match(said.text, new RegExp(canary));
  await jobsOf(agent, { verb: "add", name: "brief" });
  for (let run = 0; run < 3; run += 1)
    assert.match((await outcomeOf(agent, "brief")).reason, new RegExp(canary));
  await bravo.say("/jobs run scribe");
  await bravo.say("/jobs run self-repair");
  // What heartbeats propose comes in the background.
  const wanted = [
    new RegExp(`as a reflex[\\s\\S]*call recall .*${canary}`),
    new RegExp(`Notes of [\\s\\S]*The boat is the ${canary}`),
    /^\* TODO Notes of [\s\S]*^\* TODO Notes of /m,
    new RegExp(`The skill words fails[\\s\\S]*Its input was .*${canary}`),
  ];
  const inbox = (): string => readFileSync(join(notes, "review.org"), "utf8");
  for (let tries = 0; tries < 1200 && !wanted.every((one) => one.test(inbox())); tries += 1) await pause(100);
  for (const one of wanted) assert.match(inbox(), one);
  const [, id = ""] =
    new RegExp(`name ${canary}[\\s\\S]*?:ID: +(\\S+)`).exec(readFileSync(join(notes, "inbox.org"), "utf8")) ??
    [];
  const archived = await world.command(["org", "archive", id], { settings: { MEMEX_DIR: notes } });
  assert.equal(archived.code, 0, archived.err);
  for (const words of ["/search how we named the boat", "/jobs log brief"])
    assert.match((await bravo.say(words)).text, new RegExp(canary), words);
  return { world, agent, notes, alpha, turn };
}

async function begin(world: AgentWorld, agent: Agent) {
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  writeFileSync(join(world.configuration, "skills", "words.org"), skill);
  const talk = await talkTo(agent);
  await talk.say("/skill list");
  const asked = await talk.say(`We decided to name the boat ${canary}, says ALPHA.`);
  assert.equal(asked.end, "approval-required", asked.text);
  assert.match((await talk.say(`/approve ${talk.token()}`)).text, new RegExp(canary));
  assert.match((await talk.say("/session fork")).text, /continues it/);
  await talk.say("/compact");
  return { alpha: talk, turn: asked.turn };
}

test("what grew from a forgotten turn goes with it, wherever the agent keeps it, and the owner's own turns and notes with --derived-from", async (t) => {
  const { world, agent, notes, alpha, turn } = await grow(t);
  const talk = await talkTo(agent);
  const told = await talk.say(`/forget ${turn}`);
  assert.match(
    told.text,
    /^Forgotten: the texts of that turn, what \d+ turns of jobs and sub-tasks made of it, \d+ proposals of the review inbox\.\n\d+ other turns of yours may have texts of it: \/forget --derived-from/,
  );
  // What the owner had remembered in another turn stays, with that turn.
  await leftIn(world, [
    ".local/state/passepartout/index.db",
    ".local/state/passepartout/state.db",
    "notes/inbox.org_archive",
  ]);
  const kept = onDatabase(
    world,
    `SELECT session FROM messages JOIN turns ON turns.number = place / 1048576 WHERE messages.body LIKE '%${canary}%'
     UNION SELECT session FROM requests WHERE outcome LIKE '%${canary}%'
     UNION SELECT job FROM job_runs WHERE reason LIKE '%${canary}%'
     UNION SELECT session FROM approvals WHERE body LIKE '%${canary}%'
     UNION SELECT key FROM meta WHERE value LIKE '%${canary}%'`,
  );
  assert.equal(kept.length, 1, JSON.stringify(kept));
  const asked = world.provider.requests.length;
  await alpha.say("ECHO what did we say before?");
  assert.match(sent(world, asked), /\[forgotten\]/);
  // The live state behind the words may show the note that stays.
  const [conversation = ""] = sent(world, asked).split("[Live state from the program");
  assert.ok(!conversation.includes(canary), "the model no longer sees it in the session where it was said");

  const all = await talk.say(`/forget --derived-from ${turn} --for-good`);
  assert.match(all.text, /^Forgotten for good: /);
  await leftIn(world, []);
  assert.match(readFileSync(join(notes, "inbox.org"), "utf8"), /^\* Mine$/m);
  for (const command of [
    ["journal", "verify"],
    ["journal", "replay"],
    ["memory", "verify"],
  ]) {
    const { code, out, err } = await world.command(command, { settings: { MEMEX_DIR: notes } });
    assert.equal(code, 0, `${command.join(" ")}: ${out}${err}`);
  }
});
