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

test("the files that went with words stand below them, at once and where the words waited", async (t) => {
  const { terminal, client, turn } = openApp(t);
  const say = async (...keys: readonly string[]): Promise<void> => {
    terminal.type(...keys, "\r");
    terminal.time.now += alone;
    await painted(terminal);
  };
  for (const [id, words] of [
    ["t1", "what is it?"],
    ["t2", "and now?"],
  ] as const) {
    await say(..."/attach photo.png");
    const data = { id: "b".repeat(64), name: "~/photo.png", media: "image/png", given: "picture" };
    answerRequest(client, "attach", { code: "attached", data });
    await say(...words);
    const sent = client.sent.findLast((one) => JSON.stringify(one).includes("user-input"));
    client.tell({ kind: "accepted", id: String(sent?.["id"]), message: { meta: { "turn-id": id } } });
    if (id === "t1") turn(id).thinking();
  }
  await painted(terminal);
  const screen = (): string => terminal.screen().join("\n");
  assert.match(screen(), /› what is it\?\n+ +with photo\.png\n[\s\S]* waits \(with photo\.png\): and now\?/);
  turn("t1").answered("A rose.");
  turn("t2").thinking();
  await painted(terminal);
  assert.match(screen(), /A rose\.[\s\S]*› and now\?\n+ +with photo\.png\n/);
});
