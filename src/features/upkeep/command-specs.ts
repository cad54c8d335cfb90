import { type CommandSpec, flag } from "../../text/command-spec.ts";

export const gardenSpec = {
  name: "garden",
  summary: "what is out of order in your notes: broken links, doubled IDs, stray drawers, stale TODOs",
  about: [
    "Lists what is out of order in your notes now. No model is asked, and nothing is written. The daemon looks once a day, where notes changed, and proposes what it can repair in",
    "review.org. The exit code is 1 where something was found.",
  ],
  options: { json: flag("prints a JSON object for each finding") },
  exit: { 0: "nothing is out of order", 1: "something is" },
} as const satisfies CommandSpec;
