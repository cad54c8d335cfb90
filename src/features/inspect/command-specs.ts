import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

export const judgeSpec = {
  name: "judge",
  summary: "show how actions would be judged, one a line of standard input; run nothing",
  about: [
    "Reads actions from standard input, one a line, and says how each would be judged. Runs nothing. Examples of actions:",
    '  {"shell":"ls"}',
    '  {"read-file":"a.txt"}',
    '  {"tool":"write-file","args":{"path":"a.txt","content":"b"}}',
  ],
  surplus: "write actions to standard input, one a line",
  options: {
    workspace: {
      ...valued(
        "DIR",
        "folder that counts as the workspace; it need not exist. The default is this folder, unless it is or holds your home",
      ),
      values: "folder",
    },
    json: flag("prints JSON on a terminal too"),
  },
  exit: {
    0: "every line was judged",
    2: "some line is not an action (it counts as blocked), or wrong usage",
  },
} as const satisfies CommandSpec;

export const journalSpec = {
  name: "journal",
  summary: "read and verify the record of what was done and why",
  about: ["Reads the record of what was done and why."],
  verbs: [
    { name: "tail", help: "prints the last entries" },
    { name: "verify", help: "checks that no entry was changed or removed" },
    {
      name: "why",
      arguments: [{ form: "ID", called: "the ID of a turn or session, a digest, or a sequence number" }],
      help: "prints the entries about a turn, a session, an action's digest or a sequence number, with their reasons",
    },
    {
      name: "replay",
      arguments: [{ form: "[PATH]", values: "file" }],
      help: "judges every recorded action again and reports other decisions; PATH is a journal, or a folder with one, of any version",
    },
    {
      name: "repair",
      help: "sets a damaged journal aside as it is and begins a new chain that names it; nothing else is given up",
    },
  ],
  options: {
    lines: {
      type: "string",
      short: "n",
      default: "20",
      value: "LINES",
      verbs: ["tail"],
      help: "how many entries; the default is 20",
    },
    json: flag("prints JSON"),
  },
  exit: { 0: "done", 1: "damaged, nothing found, or another decision by the same gates" },
} as const satisfies CommandSpec;

const path = { form: "PATH", called: "a PATH", values: "file" } as const;

export const secretPathsSpec = {
  name: "secret-paths",
  summary: "which secret paths you let the agent read and write",
  about: [
    "The paths that you took off the list of secret paths (keys, credentials, .env files). No action reads or writes a secret path, whatever you approve.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "prints the paths that were taken off the list" },
    {
      name: "allow",
      arguments: [path],
      help: "takes PATH, with everything below it, off the list: it is then judged like any other path",
    },
    { name: "forget", arguments: [path], help: "puts PATH back on the list" },
  ],
  options: { json: flag("prints a JSON object for each path") },
  exit: { 0: "done", 1: "the path is not secret or was not allowed" },
} as const satisfies CommandSpec;

export const usageSpec = {
  name: "usage",
  summary: "show what model calls took, by day, job, skill, model or rule",
  about: [
    "Counts what model calls took: dollars, calls and tokens, by day (the default), by the job or the skill of their turn, by model, or by the rule that chose",
    "the model. Then it names the requests that did not begin with what their session sent before, so that no cache of a provider had it: the model, the tools,",
    "a section of the instructions, or a message differs. It asks no provider, and works beside a running daemon. passepartout budget shows what is left.",
  ],
  options: {
    by: {
      ...valued("KEY", "what is counted by: day, job, skill, model or rule"),
      values: ["day", "job", "skill", "model", "rule"],
    },
    days: valued("N", "counts the last N days, today included; the default is 30"),
    json: flag(
      "prints a JSON object for each row, and one with break for each request that is named; money is in millionths of a dollar",
    ),
  },
  exit: { 0: "done", 1: "the state cannot be read" },
} as const satisfies CommandSpec;

export const modelsSpec = {
  name: "models",
  summary: "list the models of your providers, or say which one would answer, and why",
  about: [
    "Asks each provider that is set up for its models, and tells what they cost and can do by the table that comes with the program.",
    "route says which models would be asked for some words by MODEL_ROUTES and the other settings. It asks nobody.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "prints the models that each provider offers now; * is the one that is asked" },
    {
      name: "route",
      arguments: [{ form: "WORDS…", called: "the WORDS that you would say", words: true }],
      help: "prints which models would answer these words, and which rule chose them",
    },
  ],
  options: {
    job: { ...valued("NAME", "as if a job of this name said them"), verbs: ["route"] },
    tier: {
      ...valued("TIER", "the tier of that job: reflex, cognition or reasoning, the default"),
      values: ["reflex", "cognition", "reasoning"],
      verbs: ["route"],
      beside: ["job"],
    },
    json: flag("prints JSON"),
  },
  exit: { 0: "done", 1: "no provider is set up, or none of them answers" },
} as const satisfies CommandSpec;

export const budgetSpec = {
  name: "budget",
  summary: "show what was spent today and in a session, by model",
  about: [
    "Shows what model calls took today and in the last session of this folder, by model: calls, tokens (cached, put into the cache and thinking are parts",
    "of the others), cost, and where each price comes from. It asks no provider, and works beside a running daemon.",
  ],
  options: {
    session: { ...valued("NAME", "shows the session with this name"), values: "session" },
    json: flag("prints a JSON object; money is in millionths of a dollar"),
  },
  exit: {
    0: "something is left of each budget",
    1: "there is no such session, or the state cannot be read",
    5: "a budget is spent",
  },
} as const satisfies CommandSpec;

export const contextSpec = {
  name: "context",
  summary: "show which notes the model would see, and why",
  about: [
    "Shows what the configured provider would get of your notes if you said WORDS, why, and what is withheld from it. Nothing is sent.",
  ],
  arguments: [{ form: "[WORDS]", words: true }],
  options: {
    focus: valued("ID", "puts this note in focus"),
    why: valued("ID", "says whether this note would be shown, and why"),
    prompt: flag(
      "prints all that would be sent at the start of a session in this folder: instructions, tools, notes, words",
    ),
    json: flag("prints a JSON object for each part"),
  },
  either: [["why", "prompt"]],
  exit: { 0: "something would be sent", 1: "nothing would be, or there is no such note" },
} as const satisfies CommandSpec;
