import assert from "node:assert/strict";
import { test } from "node:test";
import { findTools, haveSubject, indexTool } from "./find-tools.ts";

const tools = [
  ["calendar__list_events", "Lists the events of a day in the calendar"],
  ["calendar__create_event", "Creates an event with participants"],
  ["mail__send_message", "Sends a message to somebody"],
  ["mail__search_messages", "Searches the mailbox"],
  ["issues__createIssue", "Opens an issue in a repository"],
  ["weather__forecast", "Tells the weather of the next days in a city"],
].map(([name = "", description = ""]) => indexTool({ name, description }));

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

/** Tools of known servers, in their own words. */
const services: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gmail: {
    search_emails: "Search the mailbox with Gmail query syntax",
    send_email: "Sends a new email message",
    delete_email: "Permanently deletes an email",
    read_email: "Retrieves the content of a specific email",
  },
  gcal: {
    "list-events": "List events from one or more calendars",
    "create-event": "Create a new calendar event",
    "get-freebusy": "Query free/busy information for calendars",
  },
  github: {
    create_issue: "Create a new issue in a GitHub repository",
    create_pull_request: "Create a new pull request in a GitHub repository",
    merge_pull_request: "Merge a pull request",
    list_commits: "Get list of commits of a branch",
  },
  slack: {
    post_message: "Post a new message to a Slack channel",
    get_channel_history: "Get recent messages from a channel",
  },
  weather: { get_forecast: "Get weather forecast for a location" },
  files: {
    read_text_file: "Read the complete contents of a file as text",
    list_directory: "Get a detailed listing of all files in a path",
    move_file: "Move or rename files and directories",
  },
  postgres: { query: "Run a read-only SQL query", list_tables: "List the tables of a schema" },
  maps: { distance_matrix: "Calculate travel distance and time", geocode: "Convert an address" },
  spotify: { playMusic: "Start playing a track", pausePlayback: "Pause playback" },
  notion: { "API-post-page": "Create a page", "API-post-search": "Search by title" },
};

test("the words of a natural request bring the tool that it needs", () => {
  const index = Object.entries(services).flatMap(([service, own]) =>
    Object.entries(own).map(([name, description]) => indexTool({ name: `${service}__${name}`, description })),
  );
  for (const [words, wanted] of [
    ["Do I have any meetings tomorrow afternoon?", "gcal__list-events"],
    ["Mail Ada that I'll be late", "gmail__send_email"],
    ["What's the weather like in Lisbon this weekend?", "weather__get_forecast"],
    ["Open a ticket for the crash in the parser repo", "github__create_issue"],
    ["Tell the team on Slack that the release is out", "slack__post_message"],
    ["Which tables does the database have?", "postgres__list_tables"],
    ["Play some jazz on Spotify", "spotify__playMusic"],
    ["Schedule lunch with Tom on Friday at noon", "gcal__create-event"],
    ["Merge Ada's PR", "github__merge_pull_request"],
    ["Rename report.txt to final.txt in the shared folder", "files__move_file"],
    ["How far is it from Bonn to Ulm?", "maps__distance_matrix"],
    ["Am I free on Tuesday?", "gcal__get-freebusy"],
    ["Sag Ada per Mail, dass ich später komme", "gmail__send_email"],
    ["Erstelle einen Termin am Freitag", "gcal__create-event"],
  ] as const) {
    const names = findTools(words, index, { most: 6, least: 2 }).map(({ name }) => name);
    assert.ok(names.includes(wanted), `${words}: ${names.join(" ")}`);
  }
});
