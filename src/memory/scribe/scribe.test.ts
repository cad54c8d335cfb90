import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "#org";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { TranscriptEntry } from "../state/transcript.ts";
import { addToDay, groupClaims } from "./day-note.ts";
import { readStatement } from "./find-contradictions.ts";
import { triage } from "./triage.ts";

const web: Label = {
  integrity: "untrusted",
  secrecy: "public",
  sources: [{ id: "https://a.example/x", path: "" }],
};
const diary: Label = { ...bottomLabel, secrecy: "private" };

function said(speaker: string, text: string, label = bottomLabel, turn = "t1"): TranscriptEntry {
  return {
    id: `${turn}:${text.length}`,
    session: "s",
    turn,
    speaker,
    at: Date.UTC(2026, 10, 23, 10),
    text,
    label,
  };
}

const day = (...entries: readonly TranscriptEntry[]) => ({
  entries,
  turns: new Map([
    ["t1", { answered: true, files: [] }],
    ["t2", { answered: false, files: ["/home/me/a.ts"] }],
  ]),
});

test("decisions, facts, promises, open questions and changed files are kept; orders, small talk, commands, code and lines on calls are not", () => {
  const kept = triage(
    day(
      said("owner", "Hi there, thanks a lot!"),
      said("owner", "Read the page and summarise it for me."),
      said("owner", "/note my locker is 12"),
      said("owner", "We decided to take the copper pipe. What does it cost?"),
      said("owner", "My sister lives in Ghent now."),
      said("owner", "I will call Hansen on Monday."),
      said("owner", "```\nmy code is 4711 here\n```"),
      said("agent", 'write-file {"path":"a"} because my plan is good: success'),
      said("owner", "Which valve do we need then?", bottomLabel, "t2"),
      said("agent", "I will look at it tomorrow. Shall I order it?"),
    ),
  ).map(({ kind, text }) => `${kind}: ${text}`);
  assert.deepEqual(kept, [
    "decision: We decided to take the copper pipe.",
    "fact: My sister lives in Ghent now.",
    "promise: I will call Hansen on Monday.",
    "question: Which valve do we need then?",
    "promise: I will look at it tomorrow.",
    "question: Shall I order it?",
    "change: /home/me/a.ts",
  ]);
});

test("secret words are no claim, and words of others and private ones each have a note of their own", () => {
  const claims = triage(
    day(
      said("owner", "My locker code is 12."),
      said("owner", "My diary is under the bed.", diary),
      said("owner", "My key is the long one.", { ...bottomLabel, secrecy: "secret" }),
      said("agent", "I will pay 417 euros to Hansen.", web),
    ),
  );
  const groups = groupClaims(claims, () => "2026-11-23");
  assert.deepEqual(
    groups.map(({ file, claims: own }) => [file, own.map(({ text }) => text)]),
    [
      ["daily/2026-11-23.org", ["My locker code is 12."]],
      ["daily/2026-11-23-private.org", ["My diary is under the bed."]],
      ["daily/2026-11-23-others.org", ["I will pay 417 euros to Hansen."]],
    ],
  );
  const style = { privateTag: "@personal", drafts: new Map(), timeOf: () => "10:00" };
  const [own, secret, others] = groups.map((group) => Buffer.from(addToDay(null, group, style)).toString());
  assert.match(own ?? "", /\* What was said and done\n:PROPERTIES:\n:ORIGIN: {3}agent\n/);
  assert.match(own ?? "", /^- My locker code is 12\. \[\[said:t1:\d+\]\[10:00\]\]$/m);
  assert.match(secret ?? "", /^\* What was said and done :@personal:$/m);
  assert.match(others ?? "", /:ORIGIN: {3}untrusted\n/);
  assert.match(others ?? "", /^ {2}From: https:\/\/a\.example\/x$/m);
});

test("no words of a claim become a heading, a link or a keyword, and the bytes of the note before them stay", () => {
  const claims = triage(
    day(
      said("owner", "My plan is * TODO [[shell:rm -rf ~][x]] and \u202e #+begin_src sh"),
      said("owner", "* My heading is a trap here"),
    ),
  );
  const [group] = groupClaims(claims, () => "2026-11-23");
  assert.ok(group !== undefined);
  const style = { privateTag: null, drafts: new Map(), timeOf: () => "10:00" };
  const before = Buffer.from("* Mine\r\nno end");
  const text = Buffer.from(addToDay(before, group, style)).toString();
  assert.ok(text.startsWith("* Mine\r\nno end\n* What"));
  assert.deepEqual(
    scanOutline(text).headlines.map(({ title }) => title.trim()),
    ["Mine", "What was said and done", "Told"],
  );
  assert.ok(!text.includes("[[shell:"));
});

test("a subject and its value are read from a sentence and from a line of a note", () => {
  const boiler = readStatement("The boiler costs 417 euros.");
  assert.deepEqual(boiler, { subject: "boiler", value: "417 euros" });
  assert.deepEqual(readStatement("- Boiler: 390 euros"), { subject: "boiler", value: "390 euros" });
  assert.deepEqual(readStatement("Remember that my dentist is Dr. Frey"), {
    subject: "dentist",
    value: "dr frey",
  });
  assert.equal(readStatement("It is late"), null);
  assert.equal(readStatement("Hello there"), null);
});
