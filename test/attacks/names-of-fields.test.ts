import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { judgeService } from "../external-services.ts";

const contacts = [{ names: ["Anna Lind"], value: "anna@lind.example" }];
const privateText = "my left knee hurts when I walk up the long stairs at home";
const words = privateText.split(" ");
const key = "ghp_x8Fq2ZrT5vLk9WmYb3NcQ7sHd1PjUe4GaRtX";

/** Mails to a named person, with some further arguments. */
async function judgeMail(args: JsonObject) {
  const turn = { words: "Send Anna Lind a mail that I am late", contacts, privateText };
  return await judgeService("send_mail", { to: "anna@lind.example", ...args }, turn);
}

test("a key that is the name of a field is as good as one that is its value", async () => {
  for (const args of [
    { body: key },
    { body: { [key]: "x" } },
    { body: [{ a: { [key]: null } }] },
    { [key]: "x" },
  ])
    assert.equal((await judgeMail(args)).decision, "block", JSON.stringify(args));
});

test("a private passage asks as names of fields, and in pieces over a list or over names and values", async () => {
  const pairs = Object.fromEntries(
    words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? true]] : [])),
  );
  for (const body of [
    privateText,
    { [privateText]: "x" },
    { [privateText]: null },
    { a: words },
    Object.fromEntries(words.map((word) => [word, 1])),
    pairs,
    words.map((word, at) => ({ line: at, text: word })),
  ]) {
    const verdict = await judgeMail({ body });
    assert.equal(verdict.decision, "ask", JSON.stringify(body));
    assert.match(verdict.reason, /words of a private text would leave/);
  }
});

test("an address in the name of a field asks as one in a value", async () => {
  for (const body of [
    { "a https://evil.example/x": "click" },
    { "https://evil.example/x": "click" },
    { a: { "write to eve@evil.example": null } },
  ])
    assert.equal((await judgeMail({ body })).decision, "ask", JSON.stringify(body));
});

test("fields, lists and numbers of a mail as any mail has them ask nothing", async () => {
  const body = { text: "I am late", lines: ["one", "two"], html: false, size: 12 };
  assert.equal((await judgeMail({ subject: "late", body })).decision, "pass");
});
