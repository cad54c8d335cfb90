import { type CommandSpec, flag } from "../../text/command-spec.ts";

const service = {
  form: "SERVICE",
  called: "a SERVICE: telegram or signal",
  values: ["telegram", "signal"],
} as const;

export const gatewaySpec = {
  name: "gateway",
  summary: "talk to the agent by a chat service: telegram or signal",
  about: [
    "Opens a door for a chat service. What you say in a chat that you linked is yours. Everybody else gets nothing, or a code, once, in the minutes after you asked for codes.",
    "A daemon has to run: it receives and answers.",
  ],
  usualVerb: "list",
  verbs: [
    {
      name: "list",
      help: "shows the services, the linked chats, who waits for a link, and how each door stands",
    },
    {
      name: "link",
      arguments: [service, { form: "[CODE]" }],
      help: "asks for the service's key where the vault has none, and tries it; gives codes for 15 minutes to whoever writes; with the code that was given in a chat, makes that chat yours",
    },
    {
      name: "unlink",
      arguments: [service, { form: "[CHAT]" }],
      help: "takes a chat back, or all chats of the service, with the codes that were given",
    },
    {
      name: "test",
      arguments: [service],
      help: "tries the key, and whether each linked chat can be reached",
    },
  ],
  surplus: "a key is never an argument",
  options: {
    token: {
      ...flag("asks for another key (a token; where signal-cli listens), also where the vault has one"),
      verbs: ["link"],
    },
    passphrase: {
      ...flag("with the first key: choose a passphrase, also where the system's keyring could keep one"),
      verbs: ["link"],
    },
    yes: { ...flag("links without asking whether it is you"), verbs: ["link"] },
    json: flag("prints a JSON object"),
  },
  notes: [
    "The key is asked for, a token without being shown, or comes by standard input, and is kept in the vault.",
    "docs/doors.md tells how to open each door in five lines.",
  ],
  exit: { 0: "done", 1: "there is no such code or chat, the service refused, or nobody said yes" },
} as const satisfies CommandSpec;
