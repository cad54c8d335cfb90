import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const proposal = { form: "ID", called: "the ID of a proposal" } as const;

const proposals = { form: "ID…", called: "the ID of a proposal" } as const;
const proposalsOrAll = { form: "[ID…]" } as const;

export const reviewSpec = {
  name: "review",
  summary: "list what jobs proposed; accept, reject or undo it",
  about: [
    "Proposals of jobs wait in review.org of the notes folder, each as an entry with its diff. Nothing is done before you accept it here, or by /review in a conversation; an edit of the file, such as DONE, changes nothing.",
    "Several IDs are decided one after the other, each with its own outcome: if one fails, the others are still done.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists the proposals that wait" },
    { name: "show", arguments: [proposal], help: "shows a proposal with its diff" },
    {
      name: "accept",
      arguments: [proposalsOrAll],
      help: "makes exactly this change, judged like any action; refused if the file changed since",
    },
    { name: "reject", arguments: [proposalsOrAll], help: "drops a proposal; it is not proposed again" },
    {
      name: "undo",
      arguments: [proposals],
      help: "undoes the change of an accepted proposal, or a rejection",
    },
  ],
  options: {
    all: {
      ...valued("JOB", "decides on all proposals of JOB, such as gardener: shows them, and asks once"),
      verbs: ["accept", "reject"],
    },
    yes: { ...flag("does not ask"), beside: ["all"] },
    json: flag("prints JSON: a line for each proposal; times are Unix milliseconds"),
  },
  exit: {
    0: "all was done",
    1: "there is no such proposal, or a change was not made",
    4: "it asks, and the question waits",
  },
} as const satisfies CommandSpec;
