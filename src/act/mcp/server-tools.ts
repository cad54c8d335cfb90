import type { UseService } from "../../signal/effect.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { AcceptedServer, McpServer } from "../../signal/mcp-server.ts";
import {
  type Caller,
  failure,
  type LabelArgument,
  type Outcome,
  type Preparation,
  type Tool,
} from "../../signal/tool.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import { type DeclaredTool, makeExternalTools } from "../external/declared-tool.ts";
import type { ResolveHost } from "../web/send-request.ts";
import { type AskedInput, readAskedInput } from "./asked-input.ts";
import type { HeardByServers } from "./heard-by-servers.ts";
import { answersArgument, describeChange } from "./list-tools.ts";
import type { ServerTool } from "./name-tools.ts";
import {
  describeAnswers,
  describeQuestions,
  largestQuestion,
  type PendingQuestion,
  type PendingQuestions,
  questionDigest,
  readAnswers,
} from "./pending-questions.ts";
import { licencesOfEntry, reachedBy } from "./reached-hosts.ts";
import { entryIsGone, notAccepted, notFound, refusalOfList, wrongAnswers } from "./refused-calls.ts";
import { ServerFailure } from "./server-failure.ts";
import { addressesOf, entryDigest, keyOf, type ServerPool } from "./server-pool.ts";

/** What the owner accepted of servers. */
export type AcceptancePort = {
  readonly of: (key: string) => AcceptedServer | null;
  readonly accept: (key: string, accepted: AcceptedServer) => void;
  readonly offer: (key: string, list: AcceptedServer["list"]) => void;
};

/** Looks at the folders that a server may write, and gives what labels their changes. */
export type LabelServerWrites = (server: McpServer, told: Label) => Promise<() => Promise<void>>;

/** What the tools of servers need. */
export type ServerToolPorts = {
  readonly acceptances: AcceptancePort;
  /** Whether the entry of a server of the owner still stands as it was read. */
  readonly hasEntry: (server: McpServer) => boolean;
  readonly pool: Pick<ServerPool, "call">;
  readonly questions: PendingQuestions;
  readonly heard: HeardByServers;
  /** The label of what a server was granted to read. */
  readonly labelOfGrants: (server: McpServer) => Promise<Label>;
  /**
   * Looks at what a server may write before a call, and gives what to call behind it: then all that changed
   * there has the label of what the server was told. Default: nothing is labelled.
   */
  readonly labelWritten?: LabelServerWrites;
  readonly resolveHost: ResolveHost;
  readonly clock: () => number;
};

/** Makes tools of those that were accepted. Their effects are what the owner declared of them; where nobody did, each call asks. */
export function makeServerTools(tools: readonly ServerTool[], ports: ServerToolPorts): readonly Tool[] {
  const inner = makeExternalTools(tools.map(declaredOf));
  return tools.flatMap((tool, index) => {
    const made = inner[index];
    return made === undefined ? [] : [{ ...made, prepare: prepareWith(tool, made, ports) }];
  });
}

function declaredOf({ server, listed, name }: ServerTool): DeclaredTool {
  const declared = server.declared.get(listed.name);
  return {
    name,
    description: listed.description,
    parameters: listed.parameters,
    effect: declared?.effect ?? null,
    criticalArguments: declared?.critical ?? null,
    destinationArguments: declared === undefined ? null : declared.destinations,
    server: keyOf(server),
    // Only the preparation knows the address and the list that were judged.
    call: async () => failure({ code: "not-prepared", message: "The call was not prepared." }),
  };
}

function prepareWith(tool: ServerTool, made: Tool, ports: ServerToolPorts): Tool["prepare"] {
  return async (args, caller, labelOf) => prepareServerCall({ tool, made, ports }, args, caller, labelOf);
}

type Calling = { readonly tool: ServerTool; readonly made: Tool; readonly ports: ServerToolPorts };

async function prepareServerCall(
  calling: Calling,
  args: JsonObject,
  caller: Caller,
  labelOf: LabelArgument,
): Promise<Preparation> {
  const { tool, ports } = calling;
  const { server, name } = tool;
  const accepted = ports.acceptances.of(keyOf(server));
  if (accepted === null || accepted.entry !== entryDigest(server)) return notAccepted(server);
  if (server.project === null && !ports.hasEntry(server)) return entryIsGone(server);
  const list = accepted.offered ?? accepted.list;
  const refused = refusalOfList(tool, accepted.list, list);
  if (refused !== null) return refused;
  const { [answersArgument]: given, ...own } = args;
  const asked = given === undefined ? null : ports.questions.find(name, own, caller.session);
  if (given !== undefined && asked === null) return noQuestion(name);
  const answers = asked === null ? null : readAnswers(asked, given ?? null);
  if (answers !== null && !answers.ok) return wrongAnswers(name, answers.reason);
  const inner = await calling.made.prepare(args, caller, labelOf);
  if (!inner.ok) return inner;
  const [effect] = inner.effects;
  if (effect?.kind !== "use-service") throw new Error(`${name} does not use a service.`);
  const addresses = await findAddresses(server, ports);
  if (addresses instanceof ServerFailure) return notFound(server, addresses.message);
  const reached = reachedBy(server, addresses, effect.label);
  const granted = await ports.labelOfGrants(server);
  const told = joinLabels(granted, ports.heard.of(keyOf(server)));
  const judged: UseService = {
    ...effect,
    ...(list === accepted.list ? {} : { changed: describeChange(accepted.list, list) }),
    ...(asked === null || answers === null ? {} : { answers: describeAnswers(asked, answers.values) }),
  };
  return {
    ...inner,
    effects: [judged, ...reached],
    plan: planOf(tool, { args, act: judged.act, accepted, list, asked }),
    resultLabel: joinLabels(inner.resultLabel, told),
    // What it changed of its list, and what it asks, are its own words.
    toldByEffects: list === accepted.list && answers === null ? bottomLabel : told,
    // That it may be reached lets nothing private go there.
    licences: [...(inner.licences ?? []), ...(inner.tellsPrivate === true ? [] : licencesOfEntry(reached))],
    run: (cancel) =>
      runCall(
        calling,
        {
          args: own,
          accepted,
          list,
          addresses,
          label: joinLabels(effect.label, granted),
          session: caller.session,
          answers: answers === null || asked === null ? null : { ...asked, values: answers.values },
        },
        cancel,
      ),
  };
}

type Planned = Pick<Running, "args" | "accepted" | "list"> & {
  readonly act: UseService["act"];
  readonly asked: PendingQuestion | null;
};

/** What an approval of a call is bound to. */
function planOf({ server, listed }: ServerTool, { args, act, accepted, list, asked }: Planned): Json {
  return {
    server: keyOf(server),
    tool: listed.name,
    args,
    act,
    entry: accepted.entry,
    list: list.digest,
    ...(asked === null ? {} : { question: questionDigest(asked) }),
  };
}

/** The addresses of a server, or why it has none. */
async function findAddresses(
  server: McpServer,
  { resolveHost }: ServerToolPorts,
): Promise<readonly string[] | ServerFailure> {
  try {
    return await addressesOf(server, resolveHost);
  } catch (error) {
    if (error instanceof ServerFailure) return error;
    throw error;
  }
}

type Running = {
  readonly args: JsonObject;
  readonly accepted: AcceptedServer;
  readonly list: AcceptedServer["list"];
  readonly addresses: readonly string[];
  /** Of the arguments, and of what the server was granted. */
  readonly label: Label;
  readonly session: string;
  readonly answers: (PendingQuestion & { readonly values: JsonObject }) | null;
};

/** Calls the tool if its server still offers exactly the list that was judged. Else the new list is kept, and the next proposal asks about it. */
async function runCall(calling: Calling, running: Running, cancel: AbortSignal): Promise<Outcome> {
  const { heard } = calling.ports;
  const key = keyOf(calling.tool.server);
  heard.add(key, running.label);
  const labelWritten = await calling.ports.labelWritten?.(calling.tool.server, heard.of(key));
  try {
    const outcome = await callServer(calling, running, cancel);
    // Another call may have told it more meanwhile.
    return { ...outcome, label: heard.of(key) };
  } finally {
    await labelWritten?.();
  }
}

async function callServer({ tool, ports }: Calling, running: Running, cancel: AbortSignal): Promise<Outcome> {
  const { server, listed, name } = tool;
  const { args, accepted, list, addresses, answers, session } = running;
  const key = keyOf(server);
  try {
    if (list !== accepted.list) ports.acceptances.accept(key, withList(accepted, list, ports.clock()));
    const reply = await ports.pool.call(
      { server, accepted, addresses },
      {
        tool: listed.name,
        args,
        answers: answers === null ? null : { ...answers, questions: answers.requests },
        digest: list.digest,
      },
      cancel,
    );
    if (reply.kind === "changed") {
      if (ports.heard.of(key).secrecy !== "public")
        return failure({ code: "tools-changed", message: heldBackMessage(server.name) });
      ports.acceptances.offer(key, reply.list);
      return failure({ code: "tools-changed", message: changedMessage(server.name, list, reply.list) });
    }
    if (reply.kind === "done") return withServer(reply.outcome, server.name);
    const size = JSON.stringify([reply.requests, reply.state]).length;
    const asked: AskedInput =
      size > largestQuestion
        ? { ok: false, reason: `its question has more than ${largestQuestion} bytes` }
        : readAskedInput(reply.requests);
    if (!asked.ok)
      return failure({
        code: "input-refused",
        message: `The server ${server.name} does not go on before it knows something, and ${asked.reason}. It was told nothing. Tell the owner; do not call it again.`,
      });
    ports.questions.keep(name, args, {
      session,
      requests: reply.requests,
      state: reply.state,
      questions: asked.questions,
    });
    return failure({ code: "input-required", message: describeQuestions(server.name, asked.questions) });
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    if (cancel.aborted) return failure({ code: "stopped", message: `${name} was stopped.` });
    return failure({
      code: "server-failed",
      message: `The server ${server.name} gave no result: ${error.message}. What it did before is not known.`,
    });
  }
}

function withList(
  { entry, revision, program = [] }: AcceptedServer,
  list: AcceptedServer["list"],
  now: number,
): AcceptedServer {
  return { entry, revision, program, list, acceptedAt: now };
}

function withServer(outcome: Outcome, server: string): Outcome {
  return outcome.status === "error"
    ? { ...outcome, message: `The server ${server} reports an error: ${outcome.message}` }
    : outcome;
}

/**
 * Every provider reads the list of a server. After it was told private text it may have put that into the
 * list.
 */
function heldBackMessage(server: string): string {
  return `The server ${server} changed its list of tools after it was told or granted private text, so nothing was called and the new list is not used: that text may stand in it. Do not call it again. Tell the owner: passepartout mcp accept ${server} shows the list and asks.`;
}

function changedMessage(
  server: string,
  before: AcceptedServer["list"],
  after: AcceptedServer["list"],
): string {
  return `The server ${server} offers other tools than its owner accepted, so nothing was called. ${describeChange(before, after).join("; ")}. If it is still needed, propose the call again: the owner is asked about the change.`;
}

function noQuestion(name: string): Preparation {
  const message = `${name} asked nothing about this call, or it was too long ago. Call it without ${answersArgument}.`;
  return { ok: false, code: "no-question", message };
}
