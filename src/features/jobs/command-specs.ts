import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

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
