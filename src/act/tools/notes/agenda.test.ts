import assert from "node:assert/strict";
import { test } from "node:test";
import { agendaTimestamps, scanOutline } from "#org";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { callerAt, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeAgendaTool } from "./agenda.ts";
import type { LabelledStamp } from "./prepare-agenda.ts";

const hidden: Label = { ...bottomLabel, secrecy: "private" };
const outline = scanOutline(
  "* TODO Paint\nSCHEDULED: <2024-01-16 Tue>\n* TODO Diary :@personal:\nDEADLINE: <2024-02-20 Tue>\n",
);
const stamps = agendaTimestamps(outline, { category: "home" }).map(
  ({ index, timestamp }): LabelledStamp => ({
    file: "home.org",
    begin: 0,
    node: `node-${index}`,
    timestamp,
    label: index === 0 ? bottomLabel : hidden,
  }),
);

function makeTool(incomplete: string | null = null) {
  const asked: string[] = [];
  const tool = makeAgendaTool({
    stampsFor: async (from, to) => {
      asked.push(`${from} to ${to}`);
      return stamps;
    },
    clock: () => new Date(2024, 0, 15, 9, 30).getTime(),
    incomplete: async () => incomplete,
  });
  return { tool, asked };
}

test("the agenda shows a week from today, with the ids and labels of the shown nodes only", async () => {
  await using bench = await openWorkbench();
  const { tool, asked } = makeTool("There may be more.");
  const prepared = await prepareCall(tool, {}, callerAt(bench.workspace));
  assert.deepEqual(asked, ["2024-01-15 to 2024-01-21"]);
  assert.deepEqual(prepared.resultLabel, bottomLabel);
  const { text, ids, note } = contentOf(await prepared.run(new AbortController().signal));
  assert.match(
    String(text),
    /^Monday {5}15 January 2024 W03\nTuesday.*\n {2}home: {7}Scheduled: {2}TODO Paint\n/,
  );
  assert.deepEqual(ids, { "node-0": "TODO Paint" });
  assert.equal(note, "There may be more.");
});

test("who wrote a note decides the label of its title, not who wrote the others", async () => {
  await using bench = await openWorkbench();
  const others: Label = { ...bottomLabel, integrity: "untrusted" };
  const [paint] = stamps;
  assert.ok(paint !== undefined);
  const tool = makeAgendaTool({
    stampsFor: async () => [
      paint,
      { ...paint, timestamp: { ...paint.timestamp }, node: "a/b", label: others },
    ],
    clock: () => new Date(2024, 0, 15, 9, 30).getTime(),
  });
  const { resultLabel, resultFields } = await prepareCall(tool, {}, callerAt(bench.workspace));
  assert.equal(resultLabel.integrity, "untrusted");
  assert.deepEqual(resultFields, [
    { path: "/ids/node-0", label: bottomLabel },
    { path: "/ids/a~1b", label: others },
  ]);
});

test("a private node that shows makes the agenda private", async () => {
  await using bench = await openWorkbench();
  const { tool } = makeTool();
  const { resultLabel } = await prepareCall(tool, { from: "2024-02-20", days: 1 }, callerAt(bench.workspace));
  assert.equal(resultLabel.secrecy, "private");
});

test("a text that is not a day is refused with a message", async () => {
  await using bench = await openWorkbench();
  const { tool } = makeTool();
  const prepared = await tool.prepare({ from: "someday" }, callerAt(bench.workspace), () => bottomLabel);
  assert.deepEqual(prepared, {
    ok: false,
    code: "invalid-arguments",
    message: "agenda: 'someday' is not a day. Write YYYY-MM-DD or +3d.",
  });
});
