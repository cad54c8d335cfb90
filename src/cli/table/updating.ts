import { type CommandSpec, flag } from "../../text/command-spec.ts";

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
