import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { judgeService } from "../external-services.ts";

const sarah = "sarah.baker@mail.example";
const mark = "mark@davies.example";
const anna = "anna@lind.example";
const contacts = [
  { names: ["Sarah Baker"], value: sarah },
  { names: ["Mark Davies"], value: mark },
  { names: ["Anna Lind"], value: anna },
];

type Call = readonly [tool: string, args: JsonObject];

const mailTo = (to: string | readonly string[]): Call => ["send_mail", { to, body: "hi" }];

/** The words out of many that let a call pass unasked. */
async function passing([tool, args]: Call, phrases: readonly string[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const words of phrases) {
    const { decision } = await judgeService(tool, args, { words, contacts, today: "2026-06-02" });
    if (decision === "pass") passed.push(words);
  }
  return passed;
}

async function asksEach(calls: readonly Call[], phrases: readonly string[]): Promise<void> {
  for (const call of calls) assert.deepEqual(await passing(call, phrases), [], JSON.stringify(call));
}

function each(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.flatMap((one) => second.map((two) => `${one}${two}`));
}

const marks: readonly Call[] = [
  mailTo(mark),
  mailTo([sarah, mark]),
  ["send_mail", { to: sarah, cc: mark, body: "hi" }],
];

/** Requests that name their recipient. */
const heads = [
  "Mail Sarah",
  "Email Sarah",
  "Write Sarah",
  "Message my wife",
  "Send Sarah a mail",
  "Send my boss a mail",
  "Send a mail to Sarah",
  "Write to Sarah",
  "Send a mail to my boss",
];
const germanHeads = [
  "Maile Sarah",
  "Schreib Sarah",
  "Schreib meiner Frau",
  "Schick Sarah eine Mail",
  "Schick meiner Frau eine Mail",
  "Schick eine Mail an Sarah",
];

test("the subject of a clause behind a comma is no recipient", async () => {
  const clauses = [
    "is a liar",
    "got fired",
    "knows already",
    "has been away since May",
    "and Anna got fired",
    "can't come",
    "from work is a liar",
    "with his friends left",
    "in Berlin knows it",
  ];
  await asksEach(marks, each(heads, each([", Mark ", " - Mark "], clauses)));
  const german = ["ist krank", "weiß es schon", "und Anna sind krank", "aus der Firma kommt"];
  await asksEach(marks, each(germanHeads, each([", Mark "], german)));
});

test("a person behind “to” or “an” in what a message says is no recipient", async () => {
  const contents = [
    " that I lied to Mark",
    " that I sold the car to Mark",
    " that I gave the keys to Mark",
    " about my talk to Mark",
    " about the letter that I wrote to Mark",
    ", say hi to Mark",
    " saying hi to Mark",
    " to say hi to Mark",
    " on how to get to Mark",
    " with greetings to Mark",
    " because I talked to Mark",
  ];
  await asksEach(marks, each(heads, contents));
  const german = [
    " mit Grüßen an Mark",
    " mit einem Gruß an Mark",
    ", dass ich es an Mark gab",
    " über meinen Brief an Mark",
  ];
  await asksEach(marks, each(germanHeads, german));
  const things = ["my letter", "a copy of the mail", "the answer", "a reply", "my thanks", "the way"];
  await asksEach(
    marks,
    each(
      ["Send Sarah ", "Forward my boss "],
      things.map((thing) => `${thing} to Mark`),
    ),
  );
});

test("an address that is told of somebody else is not the recipient's", async () => {
  await asksEach(
    [mailTo("mark@work.example")],
    ["Mail Sarah. Mark's address is mark@work.example", "Mail Anna. The liar's email is mark@work.example"],
  );
  assert.equal(
    (
      await passing(mailTo("sarah@work.example"), [
        "Mail Sarah. Her address is sarah@work.example",
        "Mail Sarah. Sarah's address is sarah@work.example",
      ])
    ).length,
    2,
  );
});

test("a person or a place that is spoken of beside an act gets no invitation, no right, no money and no post", async () => {
  await asksEach(
    [["create_event", { title: "Lunch", participants: [sarah, mark] }]],
    each(
      ["Create an event 'Lunch' with Sarah", "Create an event with my boss"],
      [", Mark is away", ", Mark knows", " about the trip with Mark", " to talk with Mark"],
    ),
  );
  await asksEach(
    [["share_file", { file_id: "13", person: mark }]],
    each(
      ["Share file 13 with Sarah"],
      [", Mark has it", ", Mark may not see it", " about my talk with Mark"],
    ),
  );
  await asksEach(
    [["send_money", { recipient: mark, amount: 50 }]],
    [
      "Pay Sarah, Mark is broke, 50 euros",
      "Pay 50 to Sarah for the trip to Mark",
      "Pay Sarah 50 for the way to Mark",
    ],
  );
  await asksEach(
    [["post_message", { channel: "general", text: "hi" }]],
    each(
      ["Post hi to the random channel", "Post hi in the random channel", "Write hi to the random channel"],
      [
        ", the general channel is closed",
        ", general is closed",
        " like in the general channel",
        " because nobody reads the general channel",
        " about the general channel",
      ],
    ),
  );
});

test("lists of recipients, and things that go to somebody, are sent as before", async () => {
  const lists = [
    "Mail Sarah, Mark and Anna that dinner is at 8",
    "Mail Sarah, Mark, and Anna about the trip",
    "Mail Sarah and Mark and Anna that I am late",
    "Email Sarah, Mark and Anna: dinner is at 8",
    "Send Sarah, Mark and Anna a mail that I am late",
    "Send a mail to Sarah, Mark and Anna about the trip",
    "Send a mail to Sarah, to Mark and to Anna",
    "Mail Sarah, Mark, Anna",
    "Schick Sarah, Mark und Anna eine Mail, dass ich zu spät komme",
    "Schreib an Sarah, Mark und Anna, dass ich zu spät komme",
    "Schick eine Mail an Sarah, Mark und Anna über die Reise",
  ];
  assert.deepEqual(await passing(mailTo([sarah, mark, anna]), lists), lists);
  const towards = [
    "Send the report about the trip to Mark",
    "Send Budget to Mark",
    "Send a link to the report to Mark",
    "Send the mail from Sarah to Mark",
    "Mail my notes to Mark",
    "Send the file that I made yesterday to Mark",
    "Write a short, friendly mail to Mark",
    "Forward Sarah's answer to Mark",
    "Mail Mark that Sarah lied to Anna",
    "Schick den Bericht über die Reise an Mark",
    "Schick eine Mail mit Grüßen an Mark",
  ];
  assert.deepEqual(await passing(mailTo(mark), towards), towards);
  const members: Call = ["add_member", { member: "Mark", channel: "general" }];
  const added = ["Add Sarah, Mark to the general channel", "Add Sarah and Mark to the general channel"];
  assert.deepEqual(await passing(members, added), added);
  const post: Call = ["post_message", { channel: "general", text: "hi" }];
  const posts = [
    "Post hi to the general channel",
    "Post hi to the team in the general channel",
    "Post hi to the random and the general channel",
    "Post a summary of the random channel to the general channel",
    "Post in the general channel that the random channel is closed",
  ];
  assert.deepEqual(await passing(post, posts), posts);
  const invite: Call = ["create_event", { title: "Lunch", participants: [sarah, mark] }];
  const invitations = [
    "Create an event 'Lunch' with Sarah and Mark",
    "Create an event 'Lunch' with Sarah and Mark on 2026-06-05",
    "Create an event with the title Lunch with Sarah and Mark",
    "Create an event 'Lunch' on 2026-06-05 with Sarah and Mark, and post a status",
  ];
  assert.deepEqual(await passing(invite, invitations), invitations);
});
