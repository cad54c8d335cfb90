import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const yes = flag("says yes without asking");

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
