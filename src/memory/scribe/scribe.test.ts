import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "#org";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { TranscriptEntry } from "../state/transcript.ts";
import { addToDay, groupClaims } from "./day-note.ts";
import { contradicts, readStatement } from "./read-statement.ts";
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
  most: 100,
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
  const read = (text: string) => {
    const statement = readStatement(text);
    return statement === null ? null : [statement.subject, statement.value];
  };
  assert.deepEqual(read("The boiler costs 417 euros."), ["boiler", "417 euros"]);
  assert.deepEqual(read("- Boiler: 390 euros"), ["boiler", "390 euros"]);
  assert.deepEqual(read("Remember that my dentist is Dr. Frey"), ["dentist", "dr frey"]);
  assert.deepEqual(read("Meine Schwester wohnt jetzt in Gent."), ["schwester", "gent"]);
  assert.deepEqual(read("De ketel kost nu 417 euro"), ["ketel", "417 euro"]);
  for (const none of ["It is late", "Hello there", "The boiler was 390 euros once"])
    assert.equal(read(none), null, none);
});

test("what cannot be true beside a line of a note contradicts it, in English, German and Dutch", () => {
  for (const [said, line] of [
    ["The boiler costs 417 euros.", "- Boiler: 390 euros"],
    ["The boiler now costs €1,417.", "- Boiler: 1.390 euros"],
    ["My dentist is Dr. Frey.", "Dentist: Dr. Weiss"],
    ["My sister now lives in Bruges.", "My sister lives in Ghent"],
    ["The meeting starts at 10:30.", "The meeting starts at 10:00"],
    ["The boiler is not broken.", "- Boiler: broken"],
    ["The shop isn't open on Sunday.", "The shop is open"],
    ["Der Kessel kostet 417 Euro.", "- Kessel: 390 Euro"],
    ["Unser Zahnarzt heißt jetzt Frey.", "Zahnarzt: Weiss"],
    ["Meine Schwester wohnt in Brügge.", "Schwester wohnt in Gent"],
    ["Der Schlüssel ist nicht mehr im Keller.", "Der Schlüssel ist im Keller"],
    ["Mijn tandarts is Frey.", "Tandarts: Weiss"],
  ] as const) {
    const statement = readStatement(said);
    assert.ok(statement !== null && contradicts(statement, readStatement(line)), `${said} / ${line}`);
  }
});

test("what says the same, something else or more of a thing contradicts nothing, in English, German and Dutch", () => {
  for (const [said, line] of [
    ["The boiler costs 417 euros.", "- Boiler: 417 €"],
    ["The boiler costs 1,200 euros.", "- Boiler: 1200.00 EUR"],
    ["The boiler is old.", "- Boiler: 390 euros"],
    ["The boiler is 12 years old.", "- Boiler: 390 euros"],
    ["The boiler is loud.", "The boiler is old"],
    ["Ada is a plumber.", "Ada: friend from Ghent"],
    ["Ada is Irish.", "Ada: Plumber"],
    ["Ada lives in Ghent.", "Ada: Plumber"],
    ["Ada lives in Ghent.", "Ada lives in Ghent, near the canal"],
    ["The boiler was 390 euros.", "- Boiler: 417 euros"],
    ["The boiler is not loud.", "- Boiler: broken"],
    ["My dentist is Dr. Frey.", "Dentist: 0171 4711"],
    ["Der Kessel kostet 417 Euro.", "- Kessel: 417 €"],
    ["Der Kessel ist alt.", "- Kessel: 390 Euro"],
    ["Hansen ist Klempner.", "Hansen: Nachbar"],
    ["De ketel is oud.", "De ketel is luid"],
  ] as const) {
    const statement = readStatement(said);
    assert.ok(statement === null || !contradicts(statement, readStatement(line)), `${said} / ${line}`);
  }
});
