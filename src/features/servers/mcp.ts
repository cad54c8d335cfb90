import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { mcpSpec } from "./command-specs.ts";
import { loginCommand, logoutCommand } from "./mcp-login.ts";
import { askServer, forgetServer, type ListedServer, listServers, type Offer } from "./mcp-servers.ts";

/** Lists servers, and accepts their tools for the owner. A running agent knows it at once. */
export async function mcpCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, mcpSpec);
  const [name = ""] = words;
  switch (verb) {
    case "list":
      return list(io, values.json);
    case "show":
      return show(io, name, values.json);
    case "accept":
      return accept(io, name, values);
    case "forget":
      return forget(io, name, values.json);
    case "login":
      return loginCommand(io, name, values);
    case "logout":
      return logoutCommand(io, name, values.json);
    default:
      return verb satisfies never;
  }
}

function tell(io: Io, text: string): void {
  io.out(escapeForTerminal(text));
}

function refuse(io: Io, text: string): number {
  io.err(escapeForTerminal(`${text}\n`));
  return exitCodes.failed;
}

async function list(io: Io, json: boolean): Promise<number> {
  const { servers, problems } = await listServers(makeStartContext(io));
  for (const problem of problems) io.err(escapeForTerminal(`${problem}\n`));
  if (servers.length === 0 && !json)
    tell(
      io,
      "No server of tools is set up. Write its entry into mcp.json beside your settings: docs/mcp.md shows how.\n",
    );
  for (const server of servers) tell(io, json ? `${JSON.stringify(server)}\n` : `${headline(server)}\n`);
  return problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

function headline({ name, from, state, tools, login }: ListedServer): string {
  const todo: Readonly<Record<ListedServer["state"], string>> = {
    ready: `ready, ${count(tools.length)}`,
    "not-accepted": `not accepted yet: passepartout mcp accept ${name}`,
    "entry-changed": `its entry changed since you accepted it: passepartout mcp accept ${name}`,
    "tools-changed": `its tools changed since you accepted them: passepartout mcp accept ${name}`,
    "untrusted-folder": "not used, since you do not trust its folder (/trust-folder in a conversation there)",
  };
  return `${name}  (${from})  ${todo[state]}${login === undefined ? "" : `, ${login}`}`;
}

function count(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}

async function show(io: Io, name: string, json: boolean): Promise<number> {
  const { servers } = await listServers(makeStartContext(io));
  const server = servers.find((one) => one.name === name);
  if (server === undefined)
    return refuse(io, `There is no server ${name}. List them with: passepartout mcp list`);
  tell(io, json ? `${JSON.stringify(server)}\n` : `${headline(server)}\n${body(server)}`);
  return exitCodes.done;
}

function body({ runs, grants, gets, code, ignored, tools, unusable, changes = [] }: ListedServer): string {
  const granted = [
    ...grants.read.map((path) => `reads ${path}`),
    ...grants.write.map((path) => `writes ${path}`),
    ...grants.hosts.map((host) => `reaches ${host}`),
  ];
  return [
    `  runs: ${runs}`,
    `  may use: ${granted.length === 0 ? "nothing of yours" : granted.join(", ")}`,
    ...(gets.length === 0 ? [] : [`  gets: ${gets.join(", ")}`]),
    ...code.map(
      ({ folder, isWhole }) =>
        `  may load code in ${folder}: a change there must be accepted again${isWhole ? "" : "; there is more than is compared, so not each change is noticed"}`,
    ),
    ...ignored.map((key) => `  not used of its entry: ${key}`),
    ...tools.flatMap((tool) => [
      `  ${tool.name} (${tool.effect}): ${tool.description}`,
      ...(tool.arguments === "" ? [] : [`    with ${tool.arguments}`]),
    ]),
    ...unusable.map(({ name, reason }) => `  not usable: ${name}: ${reason}`),
    ...changes.map((line) => `  since you accepted it, ${line}`),
    ...(changes.length > 0
      ? [
          "  What the server was told, also private text, may stand there. Every model provider gets what you accept.",
        ]
      : []),
    "",
  ].join("\n");
}

async function accept(
  io: Io,
  name: string,
  { json, yes }: { readonly json: boolean; readonly yes: boolean },
): Promise<number> {
  const offer = await askServer(makeStartContext(io), name, { asAccepted: false });
  if (!offer.ok) return refuse(io, offer.reason);
  if (!json) tell(io, describeOffer(offer));
  const isYes = yes || (await confirm(io, `Accept ${name} with these tools?`));
  if (isYes === null)
    return refuse(
      io,
      `Nothing was accepted: nobody is here to ask. Say yes by: passepartout mcp accept ${name} --yes`,
    );
  if (!isYes) return refuse(io, "Nothing was accepted.");
  offer.accept();
  await tellUnrecorded(io);
  const tools = offer.list.tools.length;
  tell(
    io,
    json
      ? `${JSON.stringify({ accepted: name, revision: offer.revision, list: offer.list.digest, tools })}\n`
      : `Accepted: ${name}, ${count(tools)}. What changes in them asks you again.\n`,
  );
  return exitCodes.done;
}

function describeOffer({ server, revision, changes }: Extract<Offer, { ok: true }>): string {
  const { name, from, tools } = server;
  return `${name}  (${from})  revision ${revision}, ${count(tools.length)}\n${body({ ...server, changes })}`;
}

async function forget(io: Io, name: string, json: boolean): Promise<number> {
  if (!forgetServer(makeStartContext(io), name))
    return refuse(io, `${name} was not accepted. passepartout mcp list shows the servers.`);
  await tellUnrecorded(io);
  tell(
    io,
    json
      ? `${JSON.stringify({ forgotten: name })}\n`
      : `${name} is not accepted any more: none of its tools is used.\n`,
  );
  return exitCodes.done;
}
