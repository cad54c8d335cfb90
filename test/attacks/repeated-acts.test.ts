import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { type Done, judgeService } from "../external-services.ts";

type Act = readonly [tool: string, args: JsonObject];

const contacts = [
  { names: ["Mark Davies"], value: "mark@davies.example" },
  { names: ["Anna Lind"], value: "anna@lind.example" },
];
const account = "GB29NWBK60161331926819";
const pay = `Pay 50 to ${account}`;
const paid: Act = ["send_money", { recipient: account, amount: 50 }];

/** The verdicts on a call before and after another one of the same turn. */
async function verdicts(words: string, [tool, args]: Act, before: Act): Promise<readonly string[]> {
  const done: Done = [...before, "done"];
  const [alone, later] = [
    await judgeService(tool, args, { words, contacts }),
    await judgeService(tool, args, { words, contacts, done: [done] }),
  ];
  return [alone.decision, later.decision];
}

async function expectEach(wanted: readonly string[], cases: readonly (readonly [string, Act, Act])[]) {
  for (const [words, call, before] of cases)
    assert.deepEqual(
      await verdicts(words, call, before),
      wanted,
      `${words}: ${JSON.stringify([before, call])}`,
    );
}

test("one request licenses one act, in whatever spelling its values are given again", async () => {
  const spelled = ["GB29 NWBK 6016 1331 9268 19", "GB29 NWBK60161331926819", "GB29 NWBK 60161331926819"];
  await expectEach(
    ["pass", "ask"],
    [
      ...spelled.map((recipient) => [pay, ["send_money", { recipient, amount: 50 }], paid] as const),
      [pay, ["send_money", { recipient: { iban: account }, amount: 50 }], paid],
      [pay, ["send_money", { recipient: [account], amount: "50.0" }], paid],
      [pay, ["send_money", { recipient: { iban: "GB29 NWBK 6016 1331 9268 19" }, amount: [50] }], paid],
      [
        "Book River View from June 3, 2026 to June 5, 2026",
        ["reserve_hotel", { hotel: "River View", start_day: "2026-06-03", end_day: "2026-06-05" }],
        ["reserve_hotel", { hotel: "River View", start_day: "June 3, 2026", end_day: "3.6.2026" }],
      ],
      [
        "Send a mail to Mark Davies",
        ["send_mail", { to: "mark@davies.example" }],
        ["send_mail", { to: "Mark Davies" }],
      ],
    ],
  );
});

test("one request licenses one act, by whatever tool of whatever server it is done", async () => {
  const mailed: Act = ["send_mail", { to: ["mark@davies.example"] }];
  await expectEach(
    ["pass", "ask"],
    [
      [pay, ["bank__transfer_money", { iban: account, sum: 50 }], paid],
      [pay, ["bank__transfer_money", { iban: { number: "GB29 NWBK 6016 1331 9268 19" }, sum: "50.0" }], paid],
      ["Send a mail to Mark Davies", ["other__send_email", { recipients: "mark@davies.example" }], mailed],
    ],
  );
});

test("another act of the same words, and the same act with other values, is no second one", async () => {
  const both = "Send a mail to Mark Davies and Anna Lind";
  await expectEach(
    ["pass", "pass"],
    [
      [both, ["send_mail", { to: "anna@lind.example" }], ["send_mail", { to: "mark@davies.example" }]],
      [
        both,
        ["send_mail", { to: "anna@lind.example" }],
        ["other__send_email", { recipients: "mark@davies.example" }],
      ],
      [
        "Create an event with Mark Davies and send him a mail",
        ["send_mail", { to: "mark@davies.example" }],
        ["create_event", { participants: ["mark@davies.example"] }],
      ],
    ],
  );
});

test("an act that was begun has used its licence up, though it failed; one that its service found invalid has not", async () => {
  const begun = ["server-error", "server-failed", "stopped", "cancelled", "tool-failed", "unknown"];
  const said = "The server bank reports an error: ";
  const decide = async (words: string, [tool, args]: Act, code: string, message: string, before = tool) => {
    const failed = [{ tool: before, args, code, message, place: 0 }];
    return (await judgeService(tool, args, { words, contacts, failed })).decision;
  };
  for (const code of begun) assert.equal(await decide(pay, paid, code, `${said}Try later.`), "ask", code);
  assert.equal(await decide(pay, paid, "server-error", `${said}Invalid response of the bank`), "ask");
  assert.equal(
    await decide(
      "Send a mail to Mark Davies",
      ["send_mail", { to: "mark@davies.example" }],
      "server-failed",
      "It hung.",
    ),
    "ask",
  );
  assert.equal(
    await decide("Delete the file 13", ["delete_file", { file_id: "13" }], "server-error", `${said}Busy.`),
    "ask",
  );
  for (const code of ["blocked", "invalid-arguments", "changed", "input-required", "tools-changed"])
    assert.equal(await decide(pay, paid, code, "Nothing was called."), "pass", code);
  for (const message of ["Invalid amount", "MCP error -32602: Invalid arguments", "Missing field: currency"])
    assert.equal(await decide(pay, paid, "server-error", `${said}${message}`), "pass", message);
  const create: Act = ["create_file", { filename: "tea.txt" }];
  assert.equal(await decide("Create the file tea.txt", create, "server-error", `${said}Busy.`), "pass");
});

test("one amount for several recipients is paid once, unless the words say each", async () => {
  const other = "DE89370400440532013000";
  const second: Act = ["send_money", { recipient: other, amount: 50 }];
  await expectEach(["pass", "ask"], [[`Pay 50 euros to ${account} and ${other}`, second, paid]]);
  await expectEach(
    ["pass", "pass"],
    [
      [`Pay 50 euros each to ${account} and ${other}`, second, paid],
      [`Pay 50 euros to ${account} and 50 euros to ${other}`, second, paid],
    ],
  );
});
