import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../signal/label.ts";
import { readOwnCommands, wordsOfCommand } from "./own-commands.ts";

test("a headline names a command, and what stands below it is its words, without drawers", () => {
  const text = `#+title: mine
* review
:PROPERTIES:
:ID: 1
:END:
Look at $ARGUMENTS.
** And then
Say it in short: $ARGUMENTS.
* No name, several words
Never read.
* empty
* TODO Standup :work:
What did I do yesterday?
`;
  assert.deepEqual(readOwnCommands(text), [
    {
      name: "review",
      text: "Look at $ARGUMENTS.\n** And then\nSay it in short: $ARGUMENTS.",
      label: bottomLabel,
    },
    { name: "standup", text: "What did I do yesterday?", label: bottomLabel },
  ]);
});

test("what is typed after the name stands where the words say so, as it is, else at the end", () => {
  const [review] = readOwnCommands("* review\nLook at $ARGUMENTS.\n");
  const [standup] = readOwnCommands("* standup\nWhat did I do?\n");
  assert.ok(review !== undefined && standup !== undefined);
  assert.equal(wordsOfCommand(review, "a $& $ARGUMENTS"), "Look at a $& $ARGUMENTS.");
  assert.equal(wordsOfCommand(standup, "on Friday"), "What did I do?\n\non Friday");
  assert.equal(wordsOfCommand(standup, ""), "What did I do?");
});
