import { type CommandSpec, flag, valued } from "./command-spec.ts";

const skill = { form: "NAME", called: "the NAME of a skill" } as const;
const yes = flag("takes your yes for granted");

export const skillSpec = {
  name: "skill",
  summary: "what the agent can and what you taught it: list, install, enable, test and write skills",
  about: [
    "A skill is one Org file of the folder skills in the configuration folder: prose, settings and TypeScript that runs in a jail. docs/skills.md says how to write one.",
    "Folders with a SKILL.md (Agent Skills) in .agents/skills of your home folder are used once you enabled them; those of a project once you trust its folder.",
    "A running agent takes in what changed at its next turn.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "prints the skills, with what is wrong with each, then those that are built in" },
    { name: "show", arguments: [skill], help: "prints what a skill brings, may do and depends on" },
    {
      name: "install",
      arguments: [{ form: "SOURCE", called: "the SOURCE of a skill", values: "file" }, { form: "[NAME]" }],
      help: "checks a skill from elsewhere, shows all of it, and copies it after a yes; it is pinned by its digest. SOURCE is an Org file, a folder or archive with a SKILL.md, the address of a site (/.well-known/agent-skills), or mcp:SERVER/NAME",
    },
    {
      name: "enable",
      arguments: [skill],
      help: "puts the file as it is in force, after showing what it wants",
    },
    {
      name: "disable",
      arguments: [skill],
      help: "takes a skill out of force, with its gates; of one that is built in, its tools and words",
    },
    { name: "reload", help: "checks what changed, and puts in force what needs no yes" },
    {
      name: "test",
      arguments: [{ form: "[NAME]" }],
      help: "checks a skill, a file (NAME.org), or all, and runs their tests in the jail; says what each brings",
    },
    {
      name: "fix",
      arguments: [skill],
      help: "shows the fix that was proposed for a skill that fails, and puts it in force after a yes",
    },
    {
      name: "new",
      arguments: [skill, { form: "[SENTENCE]", words: true }],
      help: "has a model draft the skill that SENTENCE describes, tries it in the jail, shows it, and asks before it is in force; without SENTENCE or a model it writes a first file",
    },
  ],
  options: {
    yes: { ...yes, verbs: ["install", "enable", "fix"] },
    mine: {
      ...flag("says that you wrote it, so that it counts as your own words"),
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
  summary: "servers of the Model Context Protocol: what they offer, and your yes to it",
  about: [
    "The servers in your mcp.json, and in the .mcp.json of a folder that you trust. No tool of a server is used before you accepted the server with its tools. docs/mcp.md says how to set one up.",
    "A running agent knows at once what you accept.",
  ],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "prints the servers, and what is to be done about each; starts none" },
    {
      name: "show",
      arguments: [server],
      help: "prints what a server runs, may use and offers; does not start it",
    },
    {
      name: "accept",
      arguments: [server],
      help: "starts the server in the sandbox, shows its tools and what changed, and takes them after a yes",
    },
    { name: "forget", arguments: [server], help: "takes back that a server was accepted" },
    {
      name: "login",
      arguments: [server],
      help: "signs you in to a server of your mcp.json in the browser, and keeps its tokens in the vault",
    },
    {
      name: "logout",
      arguments: [server],
      help: "takes the login back at the service, and forgets its tokens",
    },
  ],
  options: {
    yes: { ...yes, verbs: ["accept"] },
    scope: { ...valued("SCOPES", "asks for these rights too"), verbs: ["login"] },
    "no-browser": { ...flag("prints the page to open, and opens no browser"), verbs: ["login"] },
    json: flag("prints a JSON object for each server"),
  },
  exit: { 0: "done", 1: "there is no such server, it gave no list or no login, or nobody said yes" },
} as const satisfies CommandSpec;
