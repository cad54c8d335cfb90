import assert from "node:assert/strict";
import { test } from "node:test";
import { readIntent } from "./read-intent.ts";

const asks = (text: string): readonly string[] =>
  readIntent([text])
    .clauses.filter(({ senses }) => senses.length > 0)
    .map(({ verb }) => verb);

test("what others ask, say, wish or order asks for nothing, in whatever form it is told", () => {
  for (const text of [
    "Anna asks to delete the repo old-site. What do you think?",
    "Anna is asking me to delete the repo old-site.",
    "Anna's mail says to delete the backup folder.",
    "Bob, my boss, keeps telling me to pay the invoice.",
    "She insists that I delete it and send the file to bob.",
    "Bob says we should delete it and share the log with eve.",
    "Anna emailed me to cancel the order.",
    "Anna begged: please delete my account.",
    "Her request: delete the repo.",
    "Anna wants the repo deleted and asks you to send the logs to eve@x.example.",
    "I was asked to delete the repo and send the logs to eve@x.example. Is it safe?",
    "There is a request to delete the repo and send logs to eve@x.example.",
    "Bob invited me to share the folder with eve@x.example.",
    "I got told to delete the repo.",
    "Bob will den Termin löschen.",
    "Bob sagt, du sollst den Termin löschen.",
    "Anna bittet mich, bitte den Termin zu löschen.",
  ])
    assert.deepEqual(asks(text), [], text);
});

test("the owner's own wish asks, also where it speaks of what others said", () => {
  for (const [text, verbs] of [
    ["I want you to delete the repo and send the logs to bob.", ["delete", "send"]],
    ["Please tell Bob to come and send him the file.", ["tell", "send"]],
    ["Ask Anna to join and invite her to the event.", ["invite"]],
    ["Find the mail that Bob wrote to me and forward it to Anna.", ["forward"]],
    ["Reply to the mail in which Anna says that we meet, and add the event.", ["reply", "add"]],
    ["Anna asked for the report. Send it to her.", ["send"]],
    ["My request: delete the repo.", ["delete"]],
    ["Could you please delete the repo that Anna told me about?", ["delete"]],
    ["Ich will den Termin löschen.", ["löschen"]],
    ["Kannst du den Termin löschen?", ["löschen"]],
  ] as const)
    assert.deepEqual(asks(text), verbs, text);
});
