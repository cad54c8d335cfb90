import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const session = { values: "session" } as const;
const files = { values: "file", multiple: true } as const;
const eitherSession = [["session", "continue"]] as const;
const json = flag("prints every event of the turn as a line of JSON");
const quiet = flag("prints the answer alone, without progress");

const turnEnds = { 3: "blocked", 5: "over budget", 6: "no provider could answer" } as const;

export const tuiSpec = {
  name: "tui",
  synopsis: ["passepartout [tui] [--session NAME | --continue] [--screen-reader]"],
  summary: "start a conversation on the whole terminal; without a command, in a pipe it is cli",
  about: [
    "Opens a conversation on the whole terminal. F1 lists the keys, /help the commands, Ctrl-D leaves.",
    "Needs a terminal; passepartout cli is the same conversation line by line. Where no daemon runs, an agent is started, which ends some time after you left.",
  ],
  options: {
    session: { ...valued("NAME", "starts or continues the session with this name"), ...session },
    continue: { ...flag("continues the last session of this folder"), short: "c" },
    "screen-reader": flag(
      "lines of text alone, each with its label, and questions that are answered by numbers; also with ACCESSIBLE=1 in the environment",
    ),
  },
  either: eitherSession,
  exit: {
    0: "left",
    1: "it could not start or go on",
    2: "wrong usage, or no terminal that can be filled",
  },
} as const satisfies CommandSpec;

export const cliSpec = {
  name: "cli",
  summary: "start a conversation line by line",
  about: [
    "Starts a conversation, line by line: type a message and press Enter. /help lists the commands, /exit leaves.",
    "Ctrl-C stops the running turn; Ctrl-C again leaves. Unfinished work continues at the next start.",
  ],
  options: {
    session: { ...valued("NAME", "starts or continues the session with this name"), ...session },
    continue: { ...flag("continues the last session of this folder"), short: "c" },
    attach: { ...valued("FILE", "hands over a picture, a PDF or a text with the first message"), ...files },
  },
  either: eitherSession,
  exit: { 0: "left", 1: "it could not start or go on" },
} as const satisfies CommandSpec;

export const askSpec = {
  name: "ask",
  summary: "ask one question and print the answer; without TEXT, from standard input",
  about: [
    "Asks one question, or gives one order, and prints the answer. Without TEXT, it is read from standard input; with TEXT, what comes by a pipe goes with it, as words of others.",
  ],
  arguments: [{ form: "[TEXT]", words: true }],
  options: {
    json,
    quiet,
    session: {
      ...valued("NAME", "asks in the session with this name; the default is a new session"),
      ...session,
    },
    continue: { ...flag("asks in the last session of this folder"), short: "c" },
    attach: { ...valued("FILE", "hands over a picture, a PDF or a text with it"), ...files },
  },
  either: eitherSession,
  notes: [
    "A command such as /undo or /status is TEXT too; it goes to the last session of this folder. What comes by standard input is never a command.",
  ],
  exit: { 0: "answered", 1: "failed or stopped", 4: "approval pending", ...turnEnds },
} as const satisfies CommandSpec;

const decision = {
  json: flag("prints every event of the turn as a line of JSON; without TOKEN, one object with the list"),
  quiet,
};
const waiting = "Without TOKEN, it shows the questions that wait, with their tokens.";
const pending = "approval pending; without TOKEN: a question waits";

export const approveSpec = {
  name: "approve",
  summary: "say yes to a pending question, and follow its turn; without TOKEN, list what waits",
  about: [
    "Says yes to the pending question with this token, and follows its turn to the end, as ask does.",
    'With "value", the values that the question is about count as yours until its turn ends; the question says where that is possible.',
    `${waiting} Nothing is answered without a token, even if only one question waits.`,
  ],
  arguments: [{ form: "[TOKEN [value]]", words: true }],
  options: decision,
  exit: {
    0: "answered; without TOKEN: no question waits",
    1: "failed or stopped, or the token is unknown, used or expired",
    4: pending,
    ...turnEnds,
  },
} as const satisfies CommandSpec;

export const denySpec = {
  name: "deny",
  summary: "say no to it, and follow its turn; without TOKEN, list what waits",
  about: [
    "Says no to the pending question with this token. The agent is told, with REASON in your words, and its turn goes on to its end, as with ask.",
    waiting,
  ],
  arguments: [{ form: "[TOKEN [because REASON]]", words: true }],
  options: decision,
  exit: {
    0: "answered, or the denial ended the turn; without TOKEN: no question waits",
    1: "failed or stopped, or the token is unknown, used or expired",
    4: pending,
    ...turnEnds,
  },
} as const satisfies CommandSpec;

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
