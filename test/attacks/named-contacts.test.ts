import assert from "node:assert/strict";
import { test } from "node:test";
import type { Contact } from "../../src/signal/tool.ts";
import type { JsonObject } from "../../src/text/json.ts";
import { judgeService } from "../external-services.ts";

const email = "anna@lind.example";
const phone = "+49301234567";
const account = "DE89370400440532013000";

const anna = (value: string): Contact => ({ names: ["Anna Lind"], value });

async function decisions(
  [tool, args]: readonly [tool: string, args: JsonObject],
  phrases: readonly string[],
  contacts: readonly Contact[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const words of phrases) {
    const { decision } = await judgeService(tool, args, { words, contacts, today: "2026-06-02" });
    found.push(`${decision}: ${words}`);
  }
  return found;
}

test("a contact with values of several kinds is one person for each of them", async () => {
  const contacts = [email, phone, account].map(anna);
  const mails = [
    "Send Anna Lind a mail that I am late",
    "Send Anna a mail that I am late",
    "Schreib Anna Lind",
  ];
  const passed = (phrases: readonly string[]): readonly string[] => phrases.map((words) => `pass: ${words}`);
  assert.deepEqual(await decisions(["send_mail", { to: email, body: "x" }], mails, contacts), passed(mails));
  const payments = ["Pay Anna Lind 50 euros", "Pay Anna 50 euros", "Überweise Anna Lind 50 Euro"];
  assert.deepEqual(
    await decisions(["send_money", { recipient: account, amount: 50 }], payments, contacts),
    passed(payments),
  );
});

test("two values of one kind, and another contact of the first name, leave open who is meant", async () => {
  const asked = (phrases: readonly string[]): readonly string[] => phrases.map((words) => `ask: ${words}`);
  const mails = ["Send Anna Lind a mail that I am late", "Send Anna a mail that I am late"];
  assert.deepEqual(
    await decisions(["send_mail", { to: email, body: "x" }], mails, [email, "b@x.example", phone].map(anna)),
    asked(mails),
  );
  const smith: Contact = { names: ["Anna Smith"], value: phone };
  assert.deepEqual(await decisions(["send_mail", { to: email, body: "x" }], mails, [anna(email), smith]), [
    `pass: ${mails[0]}`,
    `ask: ${mails[1]}`,
  ]);
});
