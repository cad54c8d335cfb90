import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { escapeInvisible } from "../../src/text/escape-invisible.ts";
import { type AgentWorld, calls, isMissing, makeWorld, sent } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import type { Step } from "../loopback-provider.ts";
import { removeFolder } from "../remove-folder.ts";
import { install, makeServedWorld, outside, programs, runEmacs, runInWorld } from "./run-emacs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs one test of conversation.el in a world. */
async function converse(
  world: AgentWorld,
  name: string,
  running?: Parameters<typeof runInWorld>[2],
): Promise<void> {
  const { code, said } = await runInWorld(world, { program: "conversation.el", selector: name }, running);
  assert.equal(code, 0, said);
}

/** A test of buffer.el that asks every conversation of its Emacs, and so has one of its own. */
const aboutTheEnd = "asks-before-the-end";
/** The others of buffer.el, which needs no agent: one Emacs runs them all. */
const buffer: { printed: Promise<string> | null } = { printed: null };

/** What Emacs printed of one test of buffer.el that passed; nothing without Emacs. */
async function printedByBuffer(t: TestContext, name: string): Promise<string> {
  if (isMissing(t, "emacs", install)) return "";
  if (name !== aboutTheEnd) buffer.printed ??= runBuffer(`(not ${aboutTheEnd})`);
  const printed = (name === aboutTheEnd ? null : await buffer.printed) ?? (await runBuffer(name));
  assert.match(printed, new RegExp(`^   passed +\\d+/\\d+ +${name} `, "m"), printed);
  return printed;
}

async function runBuffer(selector: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "emacs-buffer-"));
  try {
    const run = `(ert-run-tests-batch-and-exit '${selector})`;
    const { said } = await runEmacs(["-l", join(programs, "buffer.el"), "--eval", run], {
      environment: { PATH: process.env["PATH"], HOME: home, LC_ALL: "C.UTF-8", LONG: process.env["LONG"] },
    });
    return said;
  } finally {
    removeFolder(home);
  }
}

async function tryBuffer(t: TestContext, name: string): Promise<void> {
  await printedByBuffer(t, name);
}

/** Waits until the agent that Emacs started has ended, since nobody uses it. */
async function untilNobodyServes(world: AgentWorld): Promise<void> {
  while (existsSync(join(world.state, "run/passepartout.sock"))) await pause(50);
}

test("words typed in Emacs are answered in Org, and what was said before is read-only", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [{ text: ["Two **things** ", "with `code`."] }]);
  await converse(world, "answers");
});

test("the result of a call is folded, and Tab shows it", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [
    calls(["read-file", { path: "note.txt" }]),
    { text: "It says hello." },
  ]);
  writeFileSync(world.path("note.txt"), "hello from the note\n");
  await converse(world, "folds");
});

const writesOutside = (world: AgentWorld): Step =>
  calls(["write-file", { path: outside(world), content: "new words\n" }]);

test("a question shows its effects and its diff, and only a key typed on all of it says yes", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, []);
  world.provider.add(writesOutside(world), { text: "Made it." });
  await converse(world, "asks");
});

test("a no with its reason goes back to the model", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, []);
  world.provider.add(writesOutside(world), { text: "Left alone." });
  await converse(world, "denies", { input: "it is late\n" });
  assert.match(sent(world, 1), /No, because it is late/);
});

test("an answer streams, and C-c C-k stops it", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [
    { text: ["I begin and\n\n", "go on. ".repeat(200)], fault: "hang-after-text" },
  ]);
  await converse(world, "stops");
});

test("a daemon that is killed in the middle is told and another one started; words that waited are answered once", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t, [
    { fault: "hang" },
    { when: "The second words", text: "The second answer." },
    { when: "The first words", text: "The first answer." },
  ]);
  const daemon = await startDaemon(t, world);
  const asked = join(world.home, "asked");
  void world.provider.reached(1).then(() => writeFileSync(asked, ""));
  await converse(world, "survives", { more: { DAEMON: String(daemon.pid), ASKED: asked } });
  await untilNobodyServes(world);
});

test("without a daemon Emacs starts an agent, which ends when nobody uses it", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t, [{ text: "Hello yourself." }]);
  await converse(world, "starts");
  await untilNobodyServes(world);
});

test("where the program is missing, Emacs says so once", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  await converse(await makeWorld(t), "misses");
});

test("nothing in an answer is run by Emacs, is a headline of its own, or hides text", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [
    {
      text: "* one\n# Title\n[[elisp:(setq conversation-ran t)][good]]\n<elisp:(setq conversation-ran t)>\n[all](https://example.org)\n```elisp\n* in code\n```\nAnd that is all.",
    },
  ]);
  await converse(world, "hides-nothing");
});

test("what was not typed at the prompt is told to the agent as pasted", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [{ text: "I read it." }]);
  await converse(world, "tells-pastes");
});

test("a link opens a note, a page, a mail or a file of this machine, and nothing beside it is run", (t) =>
  tryBuffer(t, "follows-links"));

test("keys that come at once are a paste, also without its marks: they send nothing", (t) =>
  tryBuffer(t, "knows-pastes-without-marks"));

test("a yes is a key of its own on a question that was painted whole and stood for a while", (t) =>
  tryBuffer(t, "answers-by-seen-keys"));

test("what became of an answer is told once it is known: one that came too late counts for nothing, and another question waits on", (t) =>
  tryBuffer(t, "tells-what-became-of-an-answer"));

test("a reason for a no that was pasted is not sent as typed", (t) => tryBuffer(t, "takes-no-pasted-reason"));

test("a subtree that was refused comes back to the prompt as a text that was not typed", (t) =>
  tryBuffer(t, "gives-back-marked"));

test("no line of an answer becomes a headline in Emacs, as only the owner's words are", (t) =>
  tryBuffer(t, "makes-no-headline"));

test("an answer of hostile lines is shown in linear time in Emacs", (t) =>
  tryBuffer(t, "takes-hostile-lines"));

test("no field of a question passes for another line of it in Emacs", (t) => tryBuffer(t, "forges-no-line"));

test("Emacs spells out the characters that the terminal does", async (t) => {
  const said = await printedByBuffer(t, "prints-hidden-characters");
  if (said === "") return;
  const isHidden = (code: number): boolean => {
    const character = String.fromCodePoint(code);
    return code !== 9 && code !== 10 && escapeInvisible(character) !== character;
  };
  let ranges = "";
  for (let code = 0; code <= 0x10ffff; code += 1)
    if (isHidden(code)) {
      const first = code;
      while (code < 0x10ffff && isHidden(code + 1)) code += 1;
      ranges += ` ${first}-${code}`;
    }
  assert.equal(/^hidden:(.*)$/m.exec(said)?.[1], ranges);
});

test("settings of Org's hook hide nothing in a conversation in Emacs", (t) =>
  tryBuffer(t, "settles-after-hooks"));

test("Emacs tells once why it has no agent, and tries the program that is set now", (t) =>
  tryBuffer(t, "tells-what-is-missing"));

test("Emacs asks before it ends and loses words that were not acknowledged", (t) =>
  tryBuffer(t, aboutTheEnd));

test("a question about a subtree takes the subtree along as a text that was not typed", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeServedWorld(t, [{ text: "X1, it says." }]);
  await converse(world, "asks-about-subtree");
  assert.match(sent(world, 0), /Which part\?\\n\\n\* Boiler\\nThe part is X1\./);
});

test("in questions.org an entry leads to its question, where a typed key answers it and nothing else does", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t);
  world.provider.add(writesOutside(world), { text: "Made it." });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  await startDaemon(t, world);
  assert.equal((await world.command(["ask", "write it"])).code, 4);
  while (!existsSync(join(notes, "questions.org"))) await pause(50);
  await converse(world, "answers-an-entry");
});

test("the lines that passepartout emacs prints load the client that came with the build", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t);
  const { code, out } = await world.command(["emacs"]);
  assert.equal(code, 0);
  const program = `(progn ${out} (global-set-key (kbd "C-c p") 'passepartout-command-map)
    (dolist (key '("a" "b" "c" "f" "n" "p" "q" "r" "s" "t"))
      (let ((command (key-binding (kbd (concat "C-c p " key)))))
        (autoload-do-load (symbol-function command) command)
        (or (commandp command) (error "%s is no command" command))))
    (princ (locate-library "passepartout")))`;
  const { said } = await runEmacs(["--eval", program], { environment: world.environment });
  assert.equal(said, join(root, "dist/emacs/passepartout.el"));
});
