import assert from "node:assert/strict";
import { test } from "node:test";
import { tellsPrivate } from "../../src/act/external/tells-private.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import type { Json, JsonObject } from "../../src/text/json.ts";
import { judgeService } from "../external-services.ts";

const contacts = [{ names: ["Anna Lind"], value: "anna@lind.example" }];
const recipients = "anna@lind.example";
const words = "Send Anna Lind a mail that I am late";
const account = "GB29NWBK60161331926819";

test("what is made from private text goes to another person only by a yes that says so, in however few words", async () => {
  for (const body of ["wombats4711", { wombats4711: null }, ["late", 4711], "I am late because of my knee"]) {
    const verdict = await judgeService(
      "other__send_email",
      { recipients, body },
      { words, contacts, shown: "private" },
    );
    assert.equal(verdict.decision, "ask", JSON.stringify(body));
    assert.match(verdict.reason, /with private content/);
    assert.equal(
      (await judgeService("other__send_email", { recipients, body }, { words, contacts })).decision,
      "pass",
    );
  }
});

test("what is made from private text goes to nobody by a form: repeated words or recipients, nothing, nesting, signs, spelling", async () => {
  const repeated = (value: Json): Json => Array.from({ length: 47 }, () => value);
  const bodies: readonly Json[] = [
    repeated("mail"),
    ["a", "mail", "a"],
    repeated(null),
    repeated([]),
    [[], [[]]],
    ["late", null],
    repeated(true),
    repeated(7),
    [[[[["late"]]]]],
    { late: { late: [] } },
    repeated(""),
    { mail: {} },
    "late!!!!!!!",
    "late late",
    "lATe that",
    "late  that",
    "\u200Blate that",
    "(mail) (a)",
  ];
  const shown = "private";
  for (const body of bodies) {
    const args = { recipients, body };
    const verdict = await judgeService("other__send_email", args, { words, contacts, shown });
    assert.equal(verdict.decision, "ask", JSON.stringify(body));
    assert.match(verdict.reason, /with private content/, JSON.stringify(body));
  }
  const often = { recipients: [recipients, recipients, recipients], body: "late" };
  const verdict = await judgeService("other__send_email", often, { words, contacts, shown });
  assert.match(`${verdict.decision} ${verdict.reason}`, /^ask[\s\S]*with private content/);
  for (const body of [["late"], "late, mail", "A mail that I am late.", null, "", { body: "late" }])
    assert.equal(
      (await judgeService("other__send_email", { recipients, body }, { words, contacts, shown })).decision,
      "pass",
      JSON.stringify(body),
    );
});

test("what is made from private text goes to no host beside a link of the owner's", async () => {
  const link = "https://shop.example/a";
  const turn = { words: `Fetch ${link}`, shown: "private" } as const;
  assert.equal((await judgeService("fetch_page", { url: link }, turn)).decision, "pass");
  const beside = { url: link, extra_url: `wombats4711 ${link}` };
  const verdict = await judgeService("fetch_page", beside, turn);
  assert.match(`${verdict.decision} ${verdict.reason}`, /^ask[\s\S]*with private content/);
});

test("what the owner's own words say goes where they send it, whatever private text the model was shown", async () => {
  const shown = "private";
  const mail = { recipients, subject: "late", body: "I am late", html: false };
  assert.equal((await judgeService("other__send_email", mail, { words, contacts, shown })).decision, "pass");
  const paid = { recipient: account, amount: 50 };
  const order = `Pay 50 euros to ${account}`;
  assert.equal((await judgeService("send_money", paid, { words: order, shown })).decision, "pass");
});

test("a service that only reads, or changes what is the owner's, may be told of private text where it reaches no host", async () => {
  const shown = "private";
  const read = await judgeService("search_mail", { query: "wombats4711" }, { words: "What is new?", shown });
  assert.equal(read.decision, "pass");
  const kept = { filename: "knee.txt", text: "wombats4711" };
  const made = await judgeService("create_file", kept, { words: "Create the file knee.txt", shown });
  assert.equal(made.decision, "pass");
});

test("a call tells nothing private by words of the owner's, truths, counts, listed choices, and what the same server gave", () => {
  const parameters = { properties: { q: {}, order: { enum: ["newest", "oldest"] }, limit: {}, unread: {} } };
  const tells = (args: JsonObject, act: "read" | "send" = "read") =>
    tellsPrivate(
      {
        args,
        parameters,
        act,
        flows: [],
        words: ["Find the Invoice from October"],
        given: [{ content: [{ id: 713 }] }],
      },
      () => ({ ...bottomLabel, secrecy: "private" }),
    );
  for (const args of [
    { q: "october invoice" },
    { order: "newest" },
    { unread: true, limit: 50 },
    { q: "713" },
  ])
    assert.equal(tells(args), false, JSON.stringify(args));
  for (const args of [
    { q: "door code" },
    { q: "october october" },
    { q: 4711 },
    { q: ["invoice", 7] },
    { order: "left" },
    { order: ["newest", "newest"] },
    { 7: "october" },
  ])
    assert.equal(tells(args), true, JSON.stringify(args));
  assert.equal(tells({ q: 713 }, "send"), true);
});
