import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const session = { values: "session" } as const;

const eitherSession = [["session", "continue"]] as const;

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

const files = { values: "file", multiple: true } as const;

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

const json = flag("prints every event of the turn as a line of JSON");
const quiet = flag("prints the answer alone, without progress");

const turnEnds = { 3: "blocked", 5: "over budget", 6: "no provider could answer" } as const;

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

export const daemonSpec = {
  name: "daemon",
  summary: "run the agent as a service; other commands then connect to it",
  about: [
    "Runs the agent as a service, in the foreground, until Ctrl-C or SIGTERM. Other commands then connect to it.",
  ],
  options: {
    port: valued("N", "TCP port on 127.0.0.1 to listen on; the default is 9105, and 0 takes any free port"),
    "while-used": flag("listens on the socket alone, and ends when nobody uses it and nothing runs"),
  },
  either: [["port", "while-used"]],
  exit: { 0: "stopped by a signal", 1: "it could not start" },
} as const satisfies CommandSpec;

export const updateSpec = {
  name: "update",
  summary: "say which version runs, try an update on a copy of the state, go back to the version before",
  about: [
    "Passepartout is updated as it was installed (npm install --global, or git pull in a clone), also while it runs. This says what is used, and goes back.",
  ],
  usualVerb: "status",
  verbs: [
    { name: "status", help: "says which build is installed, which is used, and which one it can go back to" },
    { name: "check", help: "migrates and checks a copy of the state with this version, and changes nothing" },
    {
      name: "back",
      help: "uses the version before the installed one again, until the next update; a state that was migrated is put back as it was, and the newer one is kept beside it",
    },
    { name: "forward", help: "uses the installed version again" },
  ],
  options: { json: flag("prints a JSON object") },
  exit: { 0: "done", 1: "it could not be done: nothing was changed" },
} as const satisfies CommandSpec;

export const emacsSpec = {
  name: "emacs",
  summary: "print the lines for the init file of Emacs",
  about: [
    "Prints the lines for the init file of Emacs 28 or newer. After them, M-x passepartout opens a conversation there.",
  ],
  options: {},
  exit: { 0: "printed" },
} as const satisfies CommandSpec;

export const completionSpec = {
  name: "completion",
  summary: "print a script that completes these command lines in your shell",
  about: [
    "Prints a script that lets a shell complete commands, verbs, options, their values, file names and the names of sessions. To install it:",
    "  bash  passepartout completion bash > ~/.local/share/bash-completion/completions/passepartout",
    "        or, without the package bash-completion, in ~/.bashrc: source <(passepartout completion bash)",
    "  zsh   in ~/.zshrc, behind compinit: source <(passepartout completion zsh)",
    "        or in a folder of $fpath: passepartout completion zsh > FOLDER/_passepartout",
    "  fish  passepartout completion fish > ~/.config/fish/completions/passepartout.fish",
    "It counts in the next shell. Print it again after an update of the program.",
  ],
  verbs: [
    { name: "bash", help: "prints the script for bash, from 3.2 on" },
    { name: "zsh", help: "prints the script for zsh" },
    { name: "fish", help: "prints the script for fish" },
    { name: "man", help: "prints the manual page, as man reads it: passepartout completion man | man -l -" },
    {
      name: "sessions",
      help: "prints the names, else the IDs, of your last sessions, which the scripts offer",
    },
  ],
  options: { named: { ...flag("only sessions that have a name"), verbs: ["sessions"] } },
  exit: { 0: "done", 1: "the sessions cannot be read" },
} as const satisfies CommandSpec;
