import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { AskHidden, HiddenPrompt } from "../../../signal/hidden-prompt.ts";
import { openDesk } from "./terminal.fixture.ts";

const secret = "hunter2-ß";

type Asked = Omit<HiddenPrompt, "id">;

/** An owner who answers one prompt after the other; null refuses. What was asked, what was told, and the lines, as they are left. */
function makeOwner(...answers: (string | null)[]) {
  const asked: Asked[] = [];
  const told: (string | null)[] = [];
  const lines: Uint8Array[] = [];
  const askHidden: AskHidden = async (prompt) => {
    asked.push(prompt);
    const answer = answers[asked.length - 1] ?? null;
    if (answer === null) return { kind: "refused" };
    const line = Buffer.from(answer);
    lines.push(line);
    return { kind: "typed", line, told: (problem) => void told.push(problem) };
  };
  return { asked, told, lines, askHidden };
}

async function openWith(t: TestContext, askHidden: AskHidden, program: string) {
  const desk = await openDesk(t, { askHidden });
  if (desk === null) return null;
  writeFileSync(join(desk.workspace, "ask.py"), program);
  return desk;
}

test("the owner answers what a program hides, the program gets it, and the model sees neither the answer nor any echo of it", async (t) => {
  const owner = makeOwner(secret);
  const echoes = `import getpass, base64
got = getpass.getpass("Pass: ")
print(len(got), "as", got, "back", got[::-1], "hex", got.encode().hex(), base64.b64encode(got.encode()).decode())
print("wide", " ".join(got)); print("rows", got[:4]); print(got[4:])
print("\\033[1m" + got[:3] + "\\033[31m" + got[3:] + "\\033[0m"); print("x" * 76 + got)
input("more? ")
`;
  const desk = await openWith(t, owner.askHidden, echoes);
  if (desk === null) return;
  const result = await desk.trying({ cmd: "python3 ask.py" });
  assert.deepEqual(owner.asked, [{ session: "session", turn: "turn", program: "python3", says: "Pass:" }]);
  assert.deepEqual(owner.told, [null]);
  assert.match(
    result.text,
    /9 as \[hidden\] back \[hidden\] hex \[hidden\] \[hidden\]=*\nwide \[hidden\]\nrows \[hidden\]\n\[hidden\]\n/,
  );
  assert.match(result.text, /x{76}\[hidden\]\nmore\? $/);
  assert.doesNotMatch(JSON.stringify(result), /hunt|ter2|2ret/);
  assert.match(result.note, /The owner answered what it asked in secret/);
  assert.ok(owner.lines[0]?.every((byte) => byte === 0));
  const ended = await desk.trying({ input: "no\n" });
  assert.doesNotMatch(JSON.stringify(ended), /hunt|ter2/);
});

test("several prompts of one program are answered one after the other, and its end is its outcome", async (t) => {
  const owner = makeOwner("first one", "second one");
  const twice = `import getpass
a = getpass.getpass("New: "); b = getpass.getpass("Again: ")
print("same" if a == b else "not the same")
`;
  const desk = await openWith(t, owner.askHidden, twice);
  if (desk === null) return;
  const result = await desk.trying({ cmd: "python3 ask.py" });
  assert.deepEqual(
    owner.asked.map(({ says }) => says),
    ["New:", "Again:"],
  );
  assert.match(result.text, /not the same/);
  assert.equal(desk.terminals.find("session"), null);
});

test("a refusal is said, and in this turn the owner is not asked for it again; the model still may not type it", async (t) => {
  const owner = makeOwner(null, secret);
  const desk = await openWith(t, owner.askHidden, "import getpass\nprint(len(getpass.getpass('Pass: ')))\n");
  if (desk === null) return;
  const refused = await desk.trying({ cmd: "python3 ask.py" });
  assert.match(refused.note, /asked for it and refused.*Only the owner may answer/);
  assert.match((await desk.trying({ input: "" })).note, /refused/);
  assert.equal((await desk.trying({ input: "mine\n" })).code, "secret-prompt");
  assert.equal(owner.asked.length, 1);
  const next = await desk.trying({ input: "" }, undefined, { by: { turn: "next" } });
  assert.equal(owner.asked.length, 2);
  assert.match(next.text, /^9$/m);
});

test("a program that shows again what is typed, between the question and the answer, gets nothing", async (t) => {
  const showing = Promise.withResolvers<void>();
  const told: (string | null)[] = [];
  const askHidden: AskHidden = async () => {
    await showing.promise;
    return { kind: "typed", line: Buffer.from(secret), told: (problem) => void told.push(problem) };
  };
  const lures = `import sys, termios, time
old = termios.tcgetattr(0); new = termios.tcgetattr(0); new[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSANOW, new)
sys.stdout.write("Pass: "); sys.stdout.flush(); time.sleep(4)
termios.tcsetattr(0, termios.TCSANOW, old)
print("visible now"); print("got", sys.stdin.readline())
`;
  const desk = await openWith(t, askHidden, lures);
  if (desk === null) return;
  const trying = desk.trying({ cmd: "python3 ask.py" });
  for (let looks = 0; looks < 600; looks += 1) {
    const running = desk.terminals.find("session")?.terminal;
    if (running?.question.includes("visible") === true || (await running?.secretPrompt())?.kind === "none")
      break;
    await pause(100);
  }
  // Also before it asked nothing was hidden: what counts is that the question stands.
  while (!/visible now/.test(desk.terminals.find("session")?.terminal.question ?? "")) await pause(50);
  showing.resolve();
  const result = await trying;
  assert.match(result.note, /does not hide what is typed any more, so nothing was typed/);
  assert.match(told[0] ?? "", /does not hide/);
  assert.doesNotMatch(result.text, /got/);
});

test("what the prompt says and the name of the program are cut and cleaned, and a stop ends the waiting", async (t) => {
  const cancel = new AbortController();
  const asked: Asked[] = [];
  const askHidden: AskHidden = async (prompt, over) => {
    asked.push(prompt);
    cancel.abort();
    assert.ok(over.aborted);
    return { kind: "over" };
  };
  const imitates = `import getpass
print("\\033[2J\\033[1;1HPassepartout: approve rm -rf? [y/n]")
getpass.getpass("w" * 2000 + "\\u202e: ")
`;
  const desk = await openWith(t, askHidden, imitates);
  if (desk === null) return;
  const result = await desk.trying({ cmd: "python3 ask.py" }, cancel.signal);
  assert.equal(result.code, "stopped");
  assert.ok((asked[0]?.says.length ?? 1_000) <= 300);
  assert.ok(!asked[0]?.says.includes("\u001b"));
});

test("without a port, for another person, and in a job, nobody is asked, and the result says so", async (t) => {
  const owner = makeOwner(secret);
  const desk = await openWith(t, owner.askHidden, "import getpass\ngetpass.getpass('Pass: ')\n");
  if (desk === null) return;
  const others = await desk.trying({ cmd: "python3 ask.py" }, undefined, { by: { person: "unproved" } });
  assert.match(others.note, /Nobody is there who could be asked/);
  assert.equal(owner.asked.length, 0);
});
