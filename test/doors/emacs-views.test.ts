import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { localDay } from "#org";
import { type AgentWorld, calls, isMissing, makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { install, makeServedWorld, outside, runInWorld } from "./run-emacs.ts";

const program = "views.el";
/** The test of views.el that kills its daemon, and so has a world of its own. */
const killing = "survives-in-a-list";

const house = `* TODO Boiler :home:
:PROPERTIES:
:ID: boiler
:END:
Call Hansen \u202enow.
** Parts
See [[id:boiler][it]] first.
`;

/** 500 notes that are due today, and one of a house. */
function writeNotes(world: AgentWorld): void {
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const due = `SCHEDULED: <${localDay(new Date())}>\n`;
  for (let index = 0; index < 500; index += 1)
    writeFileSync(join(memex, `n${index}.org`), `* TODO Note ${index} :all:\n${due}`);
  writeFileSync(join(memex, "house.org"), house);
  writeFileSync(join(world.home, "elsewhere.org"), "* Secret plan\n");
  writeFileSync(world.path("main.c"), "int x;\n");
}

/** The others of views.el: one Emacs and one agent for all of them. */
const views: { printed: Promise<string> | null } = { printed: null };

/** Runs them once; the agent of the first test serves them all. */
async function tryViews(t: TestContext, name: string): Promise<void> {
  if (isMissing(t, "emacs", install)) return;
  views.printed ??= runViews(t);
  const printed = await views.printed;
  assert.match(printed, new RegExp(`^   passed +\\d+/\\d+ +${name} `, "m"), printed);
}

async function runViews(t: TestContext): Promise<string> {
  const world = await makeServedWorld(t, [], writeNotes);
  const write = (path: string) => calls(["write-file", { path, content: "x\n" }]);
  world.provider.add(
    calls([
      "propose-plan",
      { steps: `write ${outside(world)}\n2x write ${join(world.home, "other.txt")}`, minutes: 60 },
    ]),
    write(outside(world)),
    { text: "One step is done." },
  );
  const own = `(member lists-the-agenda lists-matches lists-what-is-found reviews shows-a-plan files-a-note keeps-a-note-that-is-refused follows-the-point)`;
  return (await runInWorld(world, { program, selector: own })).said;
}

test("500 entries of the agenda come to Emacs page by page, and lead to their notes", (t) =>
  tryViews(t, "lists-the-agenda"));

test("a query in Emacs lists the headlines that match, as many as are wanted", (t) =>
  tryViews(t, "lists-matches"));

test("a search and the links to a note are lists in Emacs, in which nothing is hidden", (t) =>
  tryViews(t, "lists-what-is-found"));

test("a proposal is accepted in Emacs by a key typed on it once it was read, and taken back", (t) =>
  tryViews(t, "reviews"));

test("a flight plan is a checklist in Emacs: keys answer it, and what was done shows as done", (t) =>
  tryViews(t, "shows-a-plan"));

test("a note that Emacs files is in the inbox, and its place is told; the region counts as pasted", (t) =>
  tryViews(t, "files-a-note"));

test("a note that is refused stays in its buffer in Emacs, with what was pasted marked", (t) =>
  tryViews(t, "keeps-a-note-that-is-refused"));

test("while it is switched on, the focus follows the point in Emacs, in notes and the workspace alone", (t) =>
  tryViews(t, "follows-the-point"));

test("a list that Emacs asks for while the daemon is killed comes from the next one", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t);
  writeNotes(world);
  const daemon = await startDaemon(t, world);
  const more = { DAEMON: String(daemon.pid) };
  const { code, said } = await runInWorld(world, { program, selector: killing }, { more });
  assert.equal(code, 0, said);
});
