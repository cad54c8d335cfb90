import assert from "node:assert/strict";
import { test } from "node:test";
import { findTools, haveSubject } from "./find-tools.ts";

const tools = [
  ["calendar__list_events", "Lists the events of a day in the calendar"],
  ["calendar__create_event", "Creates an event with participants"],
  ["mail__send_message", "Sends a message to somebody"],
  ["mail__search_messages", "Searches the mailbox"],
  ["issues__createIssue", "Opens an issue in a repository"],
  ["weather__forecast", "Tells the weather of the next days in a city"],
].map(([name = "", description = ""]) => ({ name, description }));

const found = (words: string, least = 2): readonly string[] =>
  findTools(words, tools, { most: 3, least }).map(({ name }) => name);

test("words find the tools that they are about, best first and always in the same order", () => {
  assert.equal(found("What will the weather be tomorrow?")[0], "weather__forecast");
  assert.deepEqual(found("create an issue about the crash")[0], "issues__createIssue");
  assert.equal(found("create an event tomorrow")[0], "calendar__create_event");
  assert.deepEqual(found("list my events"), found("list my events"));
  assert.deepEqual(
    findTools("list my events", tools.toReversed(), { most: 3, least: 2 }),
    findTools("list my events", tools, { most: 3, least: 2 }),
  );
});

test("a greeting finds nothing, and one word of a description only where it was searched for", () => {
  for (const words of ["hi", "Hello!", "thanks", "ok", "Hallo, danke dir", "", "??"]) {
    assert.deepEqual(found(words), [], words);
    assert.equal(haveSubject(words), false, words);
  }
  assert.deepEqual(found("something with a repository"), []);
  assert.deepEqual(found("something with a repository", 1), ["issues__createIssue"]);
});
