import { type CommandSpec, flag } from "../../text/command-spec.ts";

const rule = { form: "NAME", called: "the NAME of a rule" } as const;

export const rulesSpec = {
  name: "rules",
  summary: "what you allowed for good, and how to take it back",
  about: [
    "What you allowed for good by /always. A rule spares one kind of question in one folder; it lifts no block.",
  ],
  usualVerb: "list",
  verbs: [
    {
      name: "list",
      help: "prints the rules, and those that run in shadow: they allow nothing, and are offered once they agreed with you three times",
    },
    { name: "explain", arguments: [rule], help: "prints what a rule allows, and where" },
    { name: "test", help: "tries each rule on its examples, and on the questions that you answered" },
    { name: "forget", arguments: [rule], help: "takes a rule back" },
  ],
  options: { json: flag("prints a JSON object for each rule") },
  exit: { 0: "done", 1: "there is no such rule, a rule is off, or their file cannot be used" },
} as const satisfies CommandSpec;
