import type { Effect } from "../../../signal/effect.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { isJsonObject, type JsonObject } from "../../../text/json.ts";
import { problem } from "../../files/fallible.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import type { ReplRequest, ReplSessions } from "../../sandbox/repl-sessions.ts";
import type { ToolCall } from "../define-tool.ts";
import { prepareReadFile } from "../files/prepare-read-file.ts";

/** The sessions, and the files that can be loaded into them. */
export type ReplPorts = FilePorts & { readonly repls: ReplSessions };

/** The parsed arguments of the tool repl: one of them, and a name beside `load`. */
export type ReplArguments = {
  readonly code?: string | undefined;
  readonly load?: string | undefined;
  readonly as?: string | undefined;
  readonly inspect?: string | undefined;
  readonly list?: true | undefined;
  readonly end?: true | undefined;
};

type Ready = Extract<Preparation, { readonly ok: true }>;

/** Prepares a request to the session of the conversation. */
export async function prepareRepl(
  { code, load, as: name, inspect, end }: ReplArguments,
  call: ToolCall<ReplPorts>,
): Promise<Preparation> {
  if (load !== undefined && name !== undefined) return await loading({ load, name }, call);
  if (end === true) return ending(call);
  const request: ReplRequest =
    code !== undefined
      ? { kind: "evaluate", code }
      : inspect !== undefined
        ? { kind: "inspect", expression: inspect }
        : { kind: "list" };
  const label = call.labelOf(code ?? inspect ?? "");
  return requesting(request, label, call);
}

/** What comes out has the label of all that ever went in. */
function requesting(request: ReplRequest, label: Label, { ports, caller }: ToolCall<ReplPorts>): Ready {
  const known = joinLabels(ports.repls.labelOf(caller.session), label);
  return {
    ok: true,
    effects: [evaluation(known)],
    plan: request,
    changes: [],
    resultLabel: joinLabels(known, { ...bottomLabel, integrity: "agent" }),
    run: (cancel) => ports.repls.run(caller.session, { request, label }, cancel),
  };
}

function evaluation(label: Label): Effect {
  return {
    kind: "evaluate",
    target: "JavaScript",
    language: "javascript",
    jailed: true,
    label,
    reversal: "undoable",
  };
}

/** Reads a file as read-file does, and keeps its text in the session. */
async function loading(
  { load, name }: { readonly load: string; readonly name: string },
  call: ToolCall<ReplPorts>,
): Promise<Preparation> {
  const { ports, caller, labelOf } = call;
  const read = await prepareReadFile({ path: load }, call);
  if (!read.ok) return read;
  const label = joinLabels(read.resultLabel, labelOf(load));
  const known = joinLabels(ports.repls.labelOf(caller.session), label);
  return {
    ...read,
    effects: [...read.effects, evaluation(known)],
    plan: { read: read.plan, name },
    resultLabel: joinLabels(known, { ...bottomLabel, integrity: "agent" }),
    run: async (cancel) => {
      const outcome = await read.run(cancel);
      if (outcome.status === "error") return outcome;
      const text = isJsonObject(outcome.content) ? wholeText(outcome.content) : null;
      if (text === null)
        return failure(
          problem(
            "unreadable",
            `${load}: it is too long, or no text. A file of at most 256 kB can be loaded.`,
          ),
        );
      return await ports.repls.run(caller.session, { request: { kind: "keep", name, text }, label }, cancel);
    },
  };
}

function wholeText({ text, note }: JsonObject): string | null {
  return typeof text === "string" && note === undefined ? text : null;
}

function ending({ ports, caller }: ToolCall<ReplPorts>): Ready {
  return {
    ok: true,
    effects: [evaluation(bottomLabel)],
    plan: { kind: "end" },
    changes: [],
    resultLabel: { ...bottomLabel, integrity: "agent" },
    run: async () => success({ ended: await ports.repls.end(caller.session) }),
  };
}
