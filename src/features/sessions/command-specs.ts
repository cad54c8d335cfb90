import { type CommandSpec, flag } from "../../text/command-spec.ts";

const id = { form: "ID", called: "the ID of a session", values: "any-session" } as const;

export const sessionsSpec = {
  name: "sessions",
  summary: "your conversations: what they are about, cost and wait for",
  about: ["Your conversations. ID is what the list shows, or a session's name."],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists them, the last used first, with what they cost and what waits in them" },
    { name: "show", arguments: [id], help: "prints what was said in one" },
    {
      name: "rename",
      arguments: [id, { form: "NAME", called: "a NAME", words: true }],
      help: "gives one a name: passepartout --session NAME goes on with it",
    },
    {
      name: "fork",
      arguments: [id],
      help: "begins a new one with the past of another; files stay as they are",
    },
    {
      name: "delete",
      arguments: [id],
      help: "deletes one with all that was said in it, for good; files stay as they are",
    },
  ],
  options: {
    json: flag(
      "prints JSON: a list has a line for each session; times are Unix milliseconds, money is millionths of a dollar",
    ),
  },
  exit: { 0: "done", 1: "there is no such session, or nothing was done" },
} as const satisfies CommandSpec;
