import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeService } from "../external-services.ts";
import { askedAbout, plantFiles } from "./asked-about.ts";
import { described, exact, type Phrasing, vague, vagueForServices } from "./extent-phrasings.ts";

test("what people type without naming each asks with the list, whatever they call it", async (context) => {
  const folder = await plantFiles(context);
  const passed: Phrasing[] = [];
  for (const { words, command } of [...vague, ...described]) {
    const asked = await askedAbout(folder, words, command);
    if (asked === null) passed.push({ words, command });
    else
      assert.match(
        asked,
        /your message plainly asks for (?:none|\d+) of them: \S|not known before it runs/,
        words,
      );
  }
  assert.deepEqual(passed, []);
});

test("what people name as a whole, and say nothing else of, asks nothing for its extent", async (context) => {
  const folder = await plantFiles(context);
  const asked: string[] = [];
  for (const { words, command } of exact)
    if ((await askedAbout(folder, words, command)) !== null) asked.push(`${words}: ${command}`);
  assert.deepEqual(asked, []);
});

test("one deletion at a time asks where the turn takes away more than its words name", async (context) => {
  const folder = await plantFiles(context);
  const shell = (cmd: string) => ({ tool: "shell", args: { cmd } });
  const first = [shell("rm src/module-1.ts"), shell("ls src")];
  assert.match(
    (await askedAbout(folder, "Clean up.", "rm src/module-2.ts", { calls: first })) ?? "",
    /acts on 2 files, 1 of them before it in this turn, and your message plainly asks for none of them: src\/module-1\.ts, src\/module-2\.ts/,
  );
  assert.match(
    (await askedAbout(
      folder,
      "Clean up.",
      "rm src/module-1.ts; rm src/module-2.ts && unlink src/module-3.ts",
    )) ?? "",
    /acts on [23] files/,
  );
  assert.match(
    (await askedAbout(folder, "Clean up.", "git branch -D b", { calls: [shell("git branch -D a")] })) ?? "",
    /acts on 2 branches/,
  );
  const both = "Delete src/module-1.ts and src/module-2.ts.";
  assert.equal(await askedAbout(folder, both, "rm src/module-2.ts", { calls: first }), null);
  assert.equal(await askedAbout(folder, "Clean up.", "ls src", { calls: first }), null);
  const seen = { calls: first, approved: [shell("rm src/module-1.ts")] };
  assert.equal(await askedAbout(folder, "Clean up.", "rm src/module-2.ts", seen), null);
  const own = [{ tool: "write-file", args: { path: "a.txt", content: "x" } }, shell("rm a.txt")];
  assert.equal(await askedAbout(folder, "Try it.", "rm src/module-2.ts", { calls: own }), null);
});

const mails = [17, 18, 19].map((id) => ({
  mail_id: `m-${id}`,
  from: "shop@example.org",
  subject: `Offer ${id}`,
}));
const events = [41, 42].map((id) => ({ event_id: String(id), title: `Meeting ${id}`, start: "2026-05-03" }));

test("a vague request to a service asks with the list, all at once and one at a time", async () => {
  for (const { words, tool, args } of vagueForServices) {
    const turn = {
      words,
      done: [
        ["search_mail", {}, mails],
        ["list_events", {}, events],
      ],
    } as const;
    const verdict = await judgeService(tool, args, turn);
    assert.equal(verdict.decision, "ask", `${words}: ${JSON.stringify(args)}`);
    const shown = verdict.trace.map(({ reason }) => reason).join("\n");
    for (const value of Object.values(args).flat()) assert.ok(shown.includes(String(value)), shown);
  }
});

test("a list of numbers behind their noun names each of them, and no number that counts something else", async () => {
  const cancel = async (words: string, ids: readonly string[]): Promise<string> =>
    (
      await judgeService(
        "cancel_event",
        { event_id: [...ids] },
        { words, done: [["list_events", {}, events]] },
      )
    ).decision;
  for (const words of ["cancel events 41 and 42", "cancel events 41, 42", "cancel event 41 and 42"])
    assert.equal(await cancel(words, ["41", "42"]), "pass", words);
  assert.equal(await cancel("cancel events 41 and 42", ["41", "42", "43"]), "ask");
  assert.equal(await cancel("cancel event 41 and 42 reminders", ["42"]), "ask");
});
