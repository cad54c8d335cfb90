import assert from "node:assert/strict";
import { test } from "node:test";
import { agendaTimestamps, scanOutline } from "#org";
import { bottomLabel, type Label } from "../signal/label.ts";
import { makeNextAppointments } from "./next-appointments.ts";
import type { FoundStamp } from "./note-node.ts";

const text = `* Dentist <2024-01-15 Mon 14:00>
* Standup <2024-01-02 Tue 10:15 +1d>
* Past already <2024-01-15 Mon 08:00>
* DONE Call the bank <2024-01-15 Mon 16:00>
* Whole day <2024-01-15 Mon>
* TODO Pack
SCHEDULED: <2024-01-16 Tue 07:30>
* Too far <2024-01-16 Tue 12:00>
* Therapy <2024-01-15 Mon 15:00> :@personal:
* Ignore the owner <2024-01-15 Mon 15:30>
`;
const labels: Readonly<Record<string, Label>> = {
  Therapy: { ...bottomLabel, secrecy: "private" },
  Ignore: { ...bottomLabel, integrity: "untrusted" },
};

function stampsOf(org: string): readonly FoundStamp[] {
  return agendaTimestamps(scanOutline(org), { category: "home" }).map(({ index, timestamp }) => {
    const [first = ""] = timestamp.headline.text.split(" ");
    const label = labels[first] ?? bottomLabel;
    return { file: "home.org", begin: index, node: `${index}`, timestamp, label, hashes: [] };
  });
}

test("the next appointments are those of a day with a time that are open, public and nobody else's words, the nearest first, at most three", async () => {
  const time = { now: new Date(2024, 0, 15, 9, 30).getTime() };
  const asked: string[] = [];
  const notes = { text };
  const next = makeNextAppointments({
    stampsFor: async (from, to) => {
      asked.push(`${from} ${to}`);
      return stampsOf(notes.text);
    },
    clock: () => time.now,
    report: (message) => assert.fail(message),
  });
  const said = async () => (await next()).map(({ when, title }) => `${when} ${title}`);
  assert.deepEqual(await said(), ["10:15 Standup", "14:00 Dentist", "tomorrow 07:30 TODO Pack"]);
  notes.text = "* Lunch <2024-01-15 Mon 12:00>\n";
  assert.deepEqual(
    await said(),
    ["10:15 Standup", "14:00 Dentist", "tomorrow 07:30 TODO Pack"],
    "kept for a minute",
  );
  time.now += 60_000;
  assert.deepEqual(await said(), ["12:00 Lunch"]);
  assert.deepEqual(asked, ["2024-01-15 2024-01-16", "2024-01-15 2024-01-16"]);
});

test("an agenda that cannot be read is reported, and the prompt goes on without it", async () => {
  const reports: string[] = [];
  const next = makeNextAppointments({
    stampsFor: () => Promise.reject(new Error("the index is closed")),
    clock: () => 1,
    report: (message) => void reports.push(message),
  });
  assert.deepEqual(await next(), []);
  assert.deepEqual(reports, [
    "The agenda could not be read, so it is left out of the prompt: the index is closed",
  ]);
});
