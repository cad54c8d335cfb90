import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Preparation } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { labelOfAgentWords } from "./shell.fixture.ts";
import { openDesk, shown } from "./terminal.fixture.ts";

const greeter = `import sys
name = input("name? ")
print("\\033[1mhello " + name + "\\033[0m")
open("greeted.txt", "w").write(name)
`;

function effectNames(prepared: Extract<Preparation, { ok: true }>): readonly string[] {
  return prepared.effects.map((effect) =>
    effect.kind === "run-program" ? effect.argv.join(" ") : `${effect.kind} ${effect.target}`,
  );
}

test("a program that asks is answered by a further call, and what it changed is judged when it ends", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  writeFileSync(join(desk.workspace, "greet.py"), greeter);
  const asked = await desk.trying({ cmd: "python3 greet.py" });
  assert.equal(asked.changed, false);
  assert.equal(asked.text, "name? ");
  assert.match(
    asked.note,
    /python3 runs on a terminal and waits.*its owner says what, or ends it by \/stop.*reaches the workspace only once it has ended/,
  );
  const typing = await desk.prepare({ input: "Ada\n" });
  assert.deepEqual(effectNames(typing).slice(0, 1), ["python3 (type: Ada⏎)"]);
  const answered = await desk.trying({ input: "Ada\n" });
  assert.equal(answered.text, "name? Ada\nhello Ada");
  assert.equal(answered.changed, true);
  assert.ok(!existsSync(join(desk.workspace, "greeted.txt")));
  const judged = await desk.prepare({ input: "Ada\n" });
  assert.deepEqual(effectNames(judged), [`write-path ${join(desk.workspace, "greeted.txt")}`]);
  assert.equal((await judged.run(new AbortController().signal)).status, "success");
  assert.equal(readFileSync(join(desk.workspace, "greeted.txt"), "utf8"), "Ada");
});

test("the shell gives a terminal to a program that talks with a person, and to one alone in a session; a prompt that hides what is typed is the owner's", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  const cancel = new AbortController().signal;
  const started = await (await desk.prepare({ cmd: "python3 -q" }, {}, "shell")).trial?.(cancel);
  assert.equal(started && shown(started.outcome).text, ">>> ");
  const taken = await desk.tools.shell.prepare({ cmd: "python3 -q" }, desk.caller, () => labelOfAgentWords);
  assert.ok(!taken.ok && taken.code === "terminal-taken", JSON.stringify(taken));
  assert.equal(
    (await desk.trying({ input: "import os; os.get_terminal_size()\n" })).text.split("\n")[1],
    "os.terminal_size(columns=80, lines=24)",
  );
  const secret = await desk.trying({ input: "import getpass; got = getpass.getpass('pass: ')\n" });
  assert.match(secret.note, /asks for a secret.*Only the owner may answer/);
  const refused = await desk.trying({ input: "hunter2\n" });
  assert.equal(refused.code, "secret-prompt");
  assert.match((await desk.trying({ input: "\u0003" })).text, /KeyboardInterrupt/);
  assert.equal(
    (await desk.trying({ input: "'got' in globals()\n" })).text,
    ">>> 'got' in globals()\nFalse\n>>> ",
  );
  const ended = await desk.trying({ input: "\u0004" });
  assert.equal(desk.terminals.find("session"), null);
  assert.equal(ended.changed, false);
});

test("a prompt that hides what is typed is the owner's on a terminal that the program made itself, in any language", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  writeFileSync(join(desk.workspace, "ask.py"), "import getpass\ngetpass.getpass('Kennwort: ')\n");
  const asked = await desk.trying({ cmd: "script -q -c 'python3 ask.py' /dev/null" });
  assert.match(asked.text, /Kennwort: $/);
  assert.match(asked.note, /asks for a secret.*Only the owner may answer/);
  assert.equal((await desk.trying({ input: "hunter2\n" })).code, "secret-prompt");
});

test("a hidden prompt is found among many terminals, or typing is refused with the reason", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  const many =
    "import getpass, os\nheld = [os.openpty() for _ in range(20)]\ngetpass.getpass('Kennwort: ')\n";
  writeFileSync(join(desk.workspace, "many.py"), many);
  const asked = await desk.trying({ cmd: "python3 many.py" });
  assert.match(asked.note, /cannot be told, since it has 21 terminals.*Only the owner may answer/);
  const refused = await desk.trying({ input: "hunter2\n" });
  assert.equal(refused.code, "secret-prompt");
  assert.match(refused.note, /21 terminals.*nothing is typed.*end it by typing/);
});

test("each line is typed only after a look: what follows is not typed into a prompt that hides it, nor into one that reads keys", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  const asks = `read -p 'name? ' name
read -s -p 'geheim? ' got
echo "[$name] [$got]"
`;
  writeFileSync(join(desk.workspace, "asks.sh"), asks);
  await desk.trying({ cmd: "bash asks.sh" });
  const typed = await desk.trying({ input: "Ada\nhunter2\n" });
  assert.match(typed.note, /last 8 characters of what was to be typed were not typed.*Only the owner/);
  assert.equal((await desk.trying({ input: "hunter2\n" })).code, "secret-prompt");
  await desk.trying({ input: "\u0003" });
  writeFileSync(join(desk.workspace, "keys.py"), rawPrompt);
  assert.match((await desk.trying({ cmd: "python3 keys.py" })).note, /Only the owner may answer/);
  assert.equal((await desk.trying({ input: "hunter2\n" })).code, "secret-prompt");
});

/** Asks key by key, under a line of words, as many installers do. */
const rawPrompt = `import sys, tty
print("Введите пароль")
sys.stdout.write("\u2502 ")
sys.stdout.flush()
tty.setraw(0)
print(sys.stdin.read(7))
`;

/** Loops of a flood of 215 bytes each: eleven megabytes with `npm run long`, else three. */
const floods = process.env["LONG"] === "all" ? 50_000 : 13_000;

test("megabytes of escape sequences come to what a person would see, and a flood is ended", async (t) => {
  const desk = await openDesk(t, { bytes: floods * 240 });
  if (desk === null) return;
  const flood = `import sys
for _ in range(${floods}): sys.stdout.write("\\033[2J\\033[1;1H\\033]0;title\\007\\033[6n" * 7 + "x" * 40)
sys.stdout.write("\\033[2J\\033[1;1H\\033[31mdone\\033[0m")
sys.stdout.flush()
`;
  writeFileSync(join(desk.workspace, "flood.py"), flood);
  let result = await desk.trying({ cmd: "python3 flood.py" });
  while (desk.terminals.find("session") !== null) result = await desk.trying({ input: "" });
  assert.match(result.text, /done$/);
  assert.ok(result.text.length < 12_000, String(result.text.length));
  assert.doesNotMatch(result.text, /\p{Cc}(?<!\n)/u);
  writeFileSync(join(desk.workspace, "forever.py"), "while True: print('y' * 70)\n");
  let endless = await desk.trying({ cmd: "python3 forever.py" });
  while (desk.terminals.find("session") !== null) endless = await desk.trying({ input: "" });
  const content = endless.outcome.status === "success" ? endless.outcome.content : null;
  assert.match(
    isJsonObject(content) ? String(content["cut"]) : "",
    new RegExp(`more than ${floods * 240} bytes`),
  );
});

/** How many processes of this machine have a word in their command line. */
async function countWith(word: string): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes(word)).length;
}

const stubborn = `import os, signal, time
signal.signal(signal.SIGHUP, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    while True: time.sleep(1)
open("half-done.txt", "w").write("half")
print("up")
while True: time.sleep(1)
`;

test("a daemon that is killed leaves nothing of a program on a terminal, nor of what it changed, and the model is told later", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  const word = `stubborn-${process.pid}-killed.py`;
  writeFileSync(join(desk.workspace, word), stubborn);
  const fixture = new URL("./killed-terminal.fixture.ts", import.meta.url).pathname;
  const args = [fixture, desk.workspace, `${desk.workspace}-state`, word];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  assert.match(said, /"running":"python3"/);
  assert.equal(child.signalCode, "SIGKILL");
  assert.ok(!existsSync(join(desk.workspace, "half-done.txt")));
  const later = await desk.tools.terminal.prepare({ input: "" }, desk.caller, () => labelOfAgentWords);
  assert.match(
    later.ok ? "" : later.message,
    /what it had changed in its copy of the workspace by then is lost/,
  );
  for (let tries = 0; tries < 300 && (await countWith(word)) > 0; tries += 1) await pause(100);
  assert.equal(await countWith(word), 0);
});

test("a stop, the end of the session, and too long a silence end the program with children that ignore it", async (t) => {
  for (const how of ["cancel", "session", "idle"] as const) {
    const desk = await openDesk(t, how === "idle" ? { idle: 3_000 } : {});
    if (desk === null) return;
    const word = `stubborn-${process.pid}-${how}.py`;
    writeFileSync(join(desk.workspace, word), stubborn);
    const started = await desk.trying({ cmd: `python3 ${word}` });
    assert.equal(started.text, "up");
    assert.ok((await countWith(word)) >= 2);
    if (how === "cancel") {
      const cancel = new AbortController();
      const waiting = desk.trying({ input: "" }, cancel.signal);
      cancel.abort();
      assert.equal((await waiting).code, "stopped");
    }
    if (how === "session") assert.equal(await desk.terminals.end("session"), true);
    for (let tries = 0; tries < 300 && (await countWith(word)) > 0; tries += 1) await pause(100);
    assert.equal(await countWith(word), 0, how);
    if (how === "idle") assert.match((await desk.trying({ input: "x\n" })).note, /nobody typed anything/);
    await desk.terminals.close();
  }
});

test("where nobody started the turn, or the program has files for its output, there is no terminal, which is said", async (t) => {
  const desk = await openDesk(t);
  if (desk === null) return;
  const cancel = new AbortController().signal;
  const job = await (await desk.prepare({ cmd: "python3 -q" }, { startedBy: "nobody" }, "shell")).trial?.(
    cancel,
  );
  assert.match(job ? shown(job.outcome).note : "", /It ran without a terminal: nobody is there/);
  const piped = await (await desk.prepare({ cmd: "python3 -q < /dev/null" }, {}, "shell")).trial?.(cancel);
  assert.equal(piped && shown(piped.outcome).note, "undefined");
  const nothing = await desk.tools.terminal.prepare({ input: "x" }, desk.caller, () => labelOfAgentWords);
  assert.ok(!nothing.ok && nothing.code === "no-program");
});
