import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { filesWith } from "../agent-world.ts";
import { jobsOf, openJobs, runsOf } from "./job-world.ts";

const page = readFileSync(new URL("../../docs/quadrants.md", import.meta.url), "utf8");

/** The examples of the page in one language. */
const examples = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);

/** A line of a shell: the words behind `passepartout`, and what `echo` hands to it. */
function commandOf(line: string): { readonly args: readonly string[]; readonly input: string } {
  const [, input = "", command = ""] = /^(?:echo '([^']*)' \| )?passepartout (.*)$/.exec(line.trim()) ?? [];
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  assert.ok(args.length > 0, line);
  return { args, input };
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return;
    await pause(100);
  }
  assert.fail(what);
}

test("the example of each quadrant does what the page says: a model answers, or none is asked; the owner began it, or nobody did", async (t) => {
  const [asked = "", judged = "", ...otherCommands] = examples("sh");
  const [report = "", remind = "", ...otherJobs] = examples("org");
  assert.deepEqual([otherCommands, otherJobs], [[], []]);
  const { world, agent, notes } = await openJobs(
    t,
    [{ text: "The roses." }, { text: "One file is new.", repeat: true }],
    () => [report, remind],
    { HEARTBEAT_INTERVAL: "1" },
  );
  const settings = { MEMEX_DIR: notes };
  const models = () => world.provider.requests.length;

  const run = ({ args, input }: ReturnType<typeof commandOf>) => world.command(args, { settings, input });
  const answer = await run(commandOf(asked));
  assert.deepEqual([answer.code, answer.out.trim(), models()], [0, "The roses.", 1]);

  const verdict = await run(commandOf(judged));
  assert.match(verdict.out, /"verdict":"block"/);
  assert.equal(models(), 1);

  await jobsOf(agent, { verb: "add", name: "remind" });
  await until("the note of the job", () => filesWith(notes, "Water the tulips").length > 0);
  await jobsOf(agent, { verb: "remove", name: "remind" });
  assert.equal(models(), 1, "a job of the tier reflex asks no model");

  await jobsOf(agent, { verb: "add", name: "report" });
  writeFileSync(world.path("new.txt"), "new");
  await until("a run that is done", async () =>
    (await runsOf(agent, "report")).some(({ state }) => state === "done"),
  );
  assert.equal(models(), 2);
  assert.match(world.provider.requests.at(-1)?.body ?? "", /Say in one sentence what changed/);
});
