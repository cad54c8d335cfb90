import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

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

const job = { form: "NAME", called: "the NAME of a job" } as const;

export const jobsSpec = {
  name: "jobs",
  summary: "list, add, run and pause jobs: what the agent does by itself",
  about: [
    "Jobs run while the daemon runs: the upkeep of the program, and the work that you scheduled. docs/jobs.md says how to write one.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists the jobs, when each is due next, and the outcome of its last run" },
    {
      name: "log",
      arguments: [{ form: "[NAME]", called: "the NAME of a job" }],
      help: "prints the last runs, of one job or of all, with the reason of each that failed or was missed",
    },
    {
      name: "add",
      arguments: [job, { form: "[WORDS]", words: true }],
      help: "approves a job as it stands in jobs.org of the configuration folder; with --cron or --hook it is written there first, and does what WORDS say",
    },
    { name: "remove", arguments: [job], help: "ends a job: it does not run again" },
    { name: "run", arguments: [job], help: "runs a job now" },
    {
      name: "dismiss",
      arguments: [job],
      help: "removes failed, put-off and missed runs from the agenda; the job goes on",
    },
    { name: "pause", arguments: [job], help: "pauses a job until it is resumed" },
    {
      name: "resume",
      arguments: [job],
      help: "resumes a job; runs that it missed meanwhile are not made up",
    },
  ],
  options: {
    cron: { ...valued("FIELDS", "when, as in '0 9 * * 1-5'"), verbs: ["add"] },
    hook: {
      ...valued(
        "EVENT",
        "an event that begins it: turn-ended, session-began, day-began, job-failed, note-changed, file-changed:GLOB or heartbeat; may be repeated",
      ),
      multiple: true,
      verbs: ["add"],
    },
    zone: {
      ...valued("ZONE", "the time zone; the default is that of this machine"),
      verbs: ["add"],
    },
    tier: {
      ...valued("TIER", "reflex (no model), cognition (COGNITION_MODEL) or reasoning, the default"),
      values: ["reflex", "cognition", "reasoning"],
      verbs: ["add"],
    },
    "catch-up": {
      ...valued(
        "HOW",
        "which missed times are run later: skip (none), once (the latest, the default) or all",
      ),
      values: ["skip", "once", "all"],
      verbs: ["add"],
    },
    grace: { ...valued("TIME", "how late a run may begin, as in 30m or 2d"), verbs: ["add"] },
    folder: { ...valued("DIR", "the folder that it works in"), values: "folder", verbs: ["add"] },
    dollars: { ...valued("SUM", "the most that a run may spend on models"), verbs: ["add"] },
    "model-calls": {
      ...valued("N", "the most answers of models that a run may take, with its sub-tasks"),
      verbs: ["add"],
    },
    "tool-calls": {
      ...valued("N", "the most calls of tools that a run may make, with its sub-tasks"),
      verbs: ["add"],
    },
    allow: {
      ...valued(
        "STEP",
        "what it may do without a question, as in 'run make' or 'write a.txt'; may be repeated",
      ),
      multiple: true,
      verbs: ["add"],
    },
    json: flag("prints JSON: a line for each job or run; times are Unix milliseconds"),
  },
  exit: { 0: "done", 1: "there is no such job, or nothing was done" },
} as const satisfies CommandSpec;

export const doctorSpec = {
  name: "doctor",
  aliases: ["diagnostics"],
  summary: "check settings, providers, sandbox and data, and mend what can be mended",
  about: [
    "Checks the settings, providers, sandbox, folders, notes, files of the state, database, journal, clock, room on the disk, and whether a daemon answers. It asks that daemon for its health, a model server on this machine for its models, and the servers of mcp.json that you accepted for their tools; it sends nothing else and changes nothing.",
    "Each line begins with ok, look (something to know or to fix) or BAD (the agent cannot work properly). Also: passepartout diagnostics.",
  ],
  options: {
    fix: flag(
      "makes the changes that mend what was found, shows each, keeps what it replaces, asks before it installs a program, and checks again",
    ),
    "dry-run": { ...flag("with --fix: shows the changes and makes none"), beside: ["fix"] },
    quick: flag("neither starts nor reaches the servers of mcp.json; so does --watch"),
    watch: flag("checks again every 10 seconds until Ctrl-C, and prints what changed"),
    json: flag("prints a JSON object; with --watch, one a line for each change"),
  },
  either: [["fix", "watch"]],
  exit: { 0: "healthy or degraded", 1: "unhealthy" },
} as const satisfies CommandSpec;
