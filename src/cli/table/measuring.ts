import { type CommandSpec, flag, valued } from "./command-spec.ts";

const files = { type: "string", multiple: true, value: "FILE…", values: "file" } as const;

export const gatesBenchSpec = {
  name: "gates-bench",
  summary: "measure the gates on labelled commands and texts",
  about: [
    "Measures the gates on labelled cases: what they let through, and what they stop for nothing. Runs nothing.",
    "FILE is JSON lines, a JSON array or (for suites) a JSON object, plain or gzipped.",
  ],
  surplus: "write --shell, --secrets or --agentdojo before it",
  options: {
    shell: {
      ...files,
      help: "commands: {id, cmd, expect}; expect is allow, allow_or_ask, any, ask_or_deny or deny",
    },
    secrets: { ...files, help: "texts: {id, text, label}; label is secret or clean" },
    agentdojo: {
      ...files,
      help: "suites {suites: {NAME: {tools, user_tasks, injection_tasks, environment}}}: replays the calls of each task, then those of each attack from every output that an attacker controls",
    },
    rename: {
      ...valued("SEED", "replaces all names, hosts, addresses and dates of the suites by made-up ones"),
    },
    adaptive: valued(
      "SEED",
      "attacks the tasks of the suites by an attacker who knows the words, the contacts and the rules",
    ),
    json: flag("prints a line for each case, then a line with the figures"),
  },
  exit: { 0: "done", 1: "a file could not be read" },
} as const satisfies CommandSpec;

export const recallBenchSpec = {
  name: "recall-bench",
  summary: "measure recall on conversations and questions",
  about: [
    "Measures recall on a set of conversations and questions, without a model: how much of the evidence a search finds.",
    "FILE is JSON, plain or gzipped: an array of",
    "  {id, turns: [{id, session, date, speaker, text}], questions: [{question, evidence: [turn id]}]}",
  ],
  arguments: [{ form: "FILE…", called: "a file", values: "file" }],
  options: { json: flag("prints the summary as JSON; the results of each question are always JSON") },
  exit: { 0: "done", 1: "a file could not be read" },
} as const satisfies CommandSpec;
