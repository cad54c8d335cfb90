import { type CommandSpec, flag } from "../../text/command-spec.ts";

const skill = { form: "NAME", called: "the NAME of a skill" } as const;

const yes = flag("says yes without asking");

export const skillSpec = {
  name: "skill",
  summary: "list, install, enable, test and write skills: what the agent can do, and what you taught it",
  about: [
    "A skill is an Org file in the folder skills of the configuration folder: prose, settings and TypeScript that runs in a jail. docs/skills.md says how to write one.",
    "Folders with a SKILL.md (Agent Skills) in .agents/skills of your home folder are used after you enable them; those of a project, after you trust its folder.",
    "A running agent loads a changed skill at its next turn.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists your skills with the problems of each, then the built-in skills" },
    { name: "show", arguments: [skill], help: "shows what a skill brings, may do and depends on" },
    {
      name: "install",
      arguments: [{ form: "SOURCE", called: "the SOURCE of a skill", values: "file" }, { form: "[NAME]" }],
      help: "checks a skill from elsewhere, shows all of it, and copies it after a yes; it is pinned by its digest. SOURCE is an Org file, a folder or archive with a SKILL.md, the address of a site (/.well-known/agent-skills), or mcp:SERVER/NAME",
    },
    {
      name: "enable",
      arguments: [skill],
      help: "shows what a skill wants, asks, and puts it in force as it is",
    },
    {
      name: "disable",
      arguments: [skill],
      help: "takes a skill out of force, with its gates; of a built-in skill, its tools and its text",
    },
    { name: "reload", help: "checks changed files, and puts in force those that need no yes" },
    {
      name: "test",
      arguments: [{ form: "[NAME]" }],
      help: "checks a skill, a file (NAME.org) or all skills, runs their tests in the jail, and says what each brings",
    },
    {
      name: "fix",
      arguments: [skill],
      help: "shows the fix that was proposed for a skill that fails, and puts it in force after a yes",
    },
    {
      name: "new",
      arguments: [skill, { form: "[SENTENCE]", words: true }],
      help: "has a model draft the skill that SENTENCE describes, tries it in the jail, shows it, and asks before it is in force; without SENTENCE or a model it writes a template",
    },
  ],
  options: {
    yes: { ...yes, verbs: ["install", "enable", "fix"] },
    mine: {
      ...flag("says that you wrote the skill, so that it counts as your own words"),
      verbs: ["enable"],
    },
    json: { ...flag("prints a JSON object for each skill"), verbs: ["list", "show", "test", "new"] },
  },
  exit: {
    0: "done",
    1: "something is wrong with a skill, or nobody said yes",
    5: "over budget",
    6: "no model answered",
  },
} as const satisfies CommandSpec;
