import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

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

const server = { form: "NAME", called: "the NAME of a server" } as const;

export const mcpSpec = {
  name: "mcp",
  summary: "list, show, accept and sign in to servers of the Model Context Protocol",
  about: [
    "The servers in your mcp.json, and in the .mcp.json of a folder that you trust. No tool of a server is used before you accept the server with its tools. docs/mcp.md says how to set one up.",
    "A running agent knows a yes at once.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists the servers with their state and what to do next; starts none" },
    {
      name: "show",
      arguments: [server],
      help: "shows what a server runs, may use and offers; does not start it",
    },
    {
      name: "accept",
      arguments: [server],
      help: "starts the server in the sandbox, shows its tools and what changed, and asks",
    },
    { name: "forget", arguments: [server], help: "takes your yes to a server back" },
    {
      name: "login",
      arguments: [server],
      help: "signs you in to a server of your mcp.json in the browser, and keeps its tokens in the vault",
    },
    {
      name: "logout",
      arguments: [server],
      help: "revokes the login at the service, and forgets its tokens",
    },
  ],
  options: {
    yes: { ...yes, verbs: ["accept"] },
    scope: { ...valued("SCOPES", "asks for these rights too"), verbs: ["login"] },
    "no-browser": { ...flag("prints the page to open, and opens no browser"), verbs: ["login"] },
    json: flag("prints a JSON object for each server"),
  },
  exit: { 0: "done", 1: "there is no such server, it gave no list or login, or nobody said yes" },
} as const satisfies CommandSpec;
