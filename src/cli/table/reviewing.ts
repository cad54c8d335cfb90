import { type CommandSpec, flag, valued } from "./command-spec.ts";

const proposal = { form: "ID", called: "the ID of a proposal" } as const;
const proposals = { form: "ID…", called: "the ID of a proposal" } as const;
const proposalsOrAll = { form: "[ID…]" } as const;

export const reviewSpec = {
  name: "review",
  summary: "what was proposed in the background: see it, make its change or drop it, take that back",
  about: [
    "What jobs propose waits in review.org of the notes folder, an entry for each with its diff. Nothing of it is done before you accept it here, or by /review in a",
    "conversation: what stands in the file, a DONE too, changes nothing by itself. Of several, each is decided on its own, in this order, with its own outcome: where one fails, the",
    "others are done.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists what is proposed" },
    { name: "show", arguments: [proposal], help: "shows a proposal with its diff" },
    {
      name: "accept",
      arguments: [proposalsOrAll],
      help: "makes exactly this change, judged like any; refused where a file changed since",
    },
    { name: "reject", arguments: [proposalsOrAll], help: "drops it; it is not proposed again" },
    { name: "undo", arguments: [proposals], help: "takes the change of an accepted one back" },
  ],
  options: {
    all: {
      ...valued("JOB", "decides on all that JOB proposed, such as gardener, after it showed them and asked"),
      verbs: ["accept", "reject"],
    },
    yes: { ...flag("does not ask"), beside: ["all"] },
    json: flag("prints JSON: a line for each proposal; times are Unix milliseconds"),
  },
  exit: {
    0: "all was done",
    1: "there is no such proposal, or one was not done",
    4: "it asks, and the question waits",
  },
} as const satisfies CommandSpec;
