/** The commands in the order in which `/help` lists them. */
export const commandUsages: readonly {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
}[] = [
  { name: "help", usage: "/help", help: "show this list" },
  { name: "exit", usage: "/exit", help: "leave; running turns continue" },
  { name: "status", usage: "/status", help: "show what runs, what waits and what was spent" },
  {
    name: "budget",
    usage: "/budget [more DOLLARS]",
    help: "show what was spent today and in this session, by model, or allow more for today",
  },
  {
    name: "usage",
    usage: "/usage [day|job|skill|model|rule]",
    help: "show what model calls took in the last 30 days",
  },
  { name: "stop", usage: "/stop", help: "stop the running turn of this session at once" },
  {
    name: "approve",
    usage: "/approve TOKEN [value]",
    help: "allow the action of a question; its values count as yours in this turn",
  },
  { name: "deny", usage: "/deny TOKEN [because REASON]", help: "refuse it; the agent is told, and goes on" },
  {
    name: "always",
    usage: "/always TOKEN [keep]",
    help: "show the rule that would spare a question, or keep it",
  },
  {
    name: "plan",
    usage: "/plan [drop|resume|org]",
    help: "show the flight plan of this session, end it, or let it go on",
  },
  { name: "diff", usage: "/diff", help: "show what the last turn changed, and /undo would take back" },
  { name: "why", usage: "/why", help: "show what each gate said of the last turn's calls" },
  { name: "rules", usage: "/rules", help: "show what you allowed for good" },
  {
    name: "skill",
    usage: "/skill [new NAME WORDS|list|reload|show NAME|test NAME]",
    help: "list your skills with their problems; show a skill, run its tests, or have a model draft a skill from your words",
  },
  { name: "cost", usage: "/cost", help: "the same as /budget" },
  {
    name: "model",
    usage: "/model [NAME | order NAME,NAME…]",
    help: "show the models in the order in which they are asked, or ask one alone in this session; `default` asks all again, `order` changes the order for good",
  },
  { name: "provider", usage: "/provider [NAME]", help: "the same as /model" },
  {
    name: "models",
    usage: "/models",
    help: "ask the providers which models they have, with price and room",
  },
  { name: "setup", usage: "/setup", help: "how to set up a model, your notes and a name" },
  { name: "agenda", usage: "/agenda [DAY]", help: "show what is due, from today or from a day on" },
  {
    name: "jobs",
    usage: "/jobs [run|log|pause|resume|dismiss|add|remove NAME]",
    help: "list what the agent does by itself, with the last outcome; add approves a job of jobs.org",
  },
  {
    name: "review",
    usage: "/review [show|accept|reject|undo ID…]",
    help: "list what jobs proposed; show, accept, reject or undo proposals, each on its own",
  },
  {
    name: "attach",
    usage: "/attach FILE",
    help: "hand over a picture, a PDF or a text with what you say next",
  },
  { name: "output", usage: "/output", help: "show all that the last command or tool gave" },
  { name: "undo", usage: "/undo", help: "undo the last turn that changed something" },
  { name: "redo", usage: "/redo", help: "take the last /undo or /rewind back" },
  {
    name: "rewind",
    usage: "/rewind [NUMBER [words|files]]",
    help: "go back to before something that you said: what was said and changed since is taken back",
  },
  { name: "rollback", usage: "/rollback [ID]", help: "restore memory and files from a snapshot" },
  { name: "focus", usage: "/focus [ID]", help: "show or set the note in focus" },
  { name: "trust", usage: "/trust ID", help: "treat a note's text as your own, whatever its origin" },
  { name: "public", usage: "/public ID", help: "treat a note, or the words after it, as no longer private" },
  { name: "send", usage: "/send", help: "send the message that was held back for its private words" },
  {
    name: "trust-folder",
    usage: "/trust-folder [yes|off]",
    help: "treat the files of this workspace as your own",
  },
  {
    name: "forget",
    usage: "/forget [--derived-from] ID",
    help: "forget a note or a turn for good; --derived-from shows all that grew from an address, a file, a note, a turn or a session",
  },
  {
    name: "session",
    usage: "/session [rename NAME | fork | delete ID]",
    help: "list the sessions; name this one, go on from its past in a new one, forget one",
  },
  { name: "compact", usage: "/compact", help: "shorten what the model sees of this session's past" },
  { name: "clear", usage: "/clear", help: "begin anew: the model sees nothing of what was said here before" },
  {
    name: "config",
    usage: "/config [set|get|unset|keep] [NAME] [VALUE]",
    help: "show the settings with their origin, or change one; keep makes the change that was shown",
  },
  { name: "theme", usage: "/theme [dark|light]", help: "show or change the colours of the terminal client" },
  { name: "search", usage: "/search QUERY", help: "search the notes" },
  { name: "note", usage: "/note TEXT", help: "keep a note" },
];
