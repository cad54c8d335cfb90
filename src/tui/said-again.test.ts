import assert from "node:assert/strict";
import { test } from "node:test";
import { answerRequest, openApp, openSession, painted } from "./screen.fixture.ts";

/** Longer than Enter waits for the rest of a paste, and a question for being read. */
const alone = 500;

test("what was said comes back whole: every word and line, what was pasted as a paste, the files as chips, and what does not come is told", async (t) => {
  const { terminal, client } = openApp(t, { rows: 30 });
  openSession(client, {});
  const press = async (key: string): Promise<void> => {
    terminal.type(key);
    terminal.time.now += alone;
    await painted(terminal);
  };
  await press("\u001b");
  await press("\u001b");
  const moment = { id: "t2", "at-ms": 0, words: "word word", files: 0, commands: 0 };
  answerRequest(client, "moments", { data: [moment] });
  await press("\r");
  answerRequest(client, "rewind", { text: "This would take back the words of 1 turn." });
  await press("");
  await press("w");
  assert.deepEqual(client.sent.at(-1)?.["payload"], { action: "moments", turn: "t2" });
  const pasted = "def f(x):\n    return {\n    }";
  const words = `${"word ".repeat(120)}end\n${pasted}\n/undo`;
  const attached = [{ id: "a".repeat(64), name: "plan.txt", media: "text/plain" }];
  const data = { pastes: [pasted], attached, gone: ["photo.png"] };
  answerRequest(client, "moments", { code: "moment", text: words, data });
  answerRequest(client, "rewind", { code: "rewound", text: "The words of 1 turn are taken back." });
  answerRequest(client, "history", { data: [] });
  await press("");
  const screen = terminal.screen().join("\n");
  assert.match(screen, /\[plan\.txt\]/);
  assert.match(screen, /Attach again what came with them: photo\.png/);
  await press("\r");
  assert.deepEqual(client.sent.at(-1)?.["payload"], {
    sensor: "user-input",
    text: words,
    pasted: true,
    pastes: [pasted],
    attachments: ["a".repeat(64)],
  });
});
