import type { Outcome, Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { nearestName } from "../../../text/nearest-name.ts";
import { type ActProblem, problem } from "../../files/fallible.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { outlineOf } from "../../syntax/outline.ts";
import type { Declaration } from "../../syntax/script-declarations.ts";
import type { ToolCall } from "../define-tool.ts";
import { prepareReadFile } from "../files/prepare-read-file.ts";

/** The parsed arguments of the tool read-code. */
export type ReadCodeArguments = { readonly path: string; readonly name?: string | undefined };

/** Prepares the outline of a file, or the reading of one declaration: the effects and labels are those of reading the file. */
export async function prepareReadCode(
  { path, name }: ReadCodeArguments,
  call: ToolCall<FilePorts>,
): Promise<Preparation> {
  const read = await prepareReadFile({ path }, call);
  if (!read.ok) return read;
  return {
    ...read,
    plan: { read: read.plan, name: name ?? null },
    run: async (cancel) => {
      const outcome = await read.run(cancel);
      return outcome.status === "success" && isJsonObject(outcome.content)
        ? await describe(outcome.content, name ?? null)
        : outcome;
    },
  };
}

async function describe(content: { readonly [key: string]: unknown }, name: string | null): Promise<Outcome> {
  const { path, text, note } = content;
  if (typeof path !== "string" || typeof text !== "string" || note !== undefined)
    return failure(problem("unreadable", `${String(path)}: it is too long, or no text. Use read-file.`));
  const outline = await outlineOf(path, text);
  if (outline === null) return failure(noParser(path));
  if (!outline.ok) return failure(problem("no-syntax", `${path}: ${outline.problem}. Use read-file.`));
  if (name === null) {
    const declarations = outline.declarations.map(
      (one) => `${one.from === one.to ? one.from : `${one.from}-${one.to}`} ${one.kind} ${one.name}`,
    );
    return success({ path, declarations });
  }
  const found = outline.declarations.find((one) => one.name === name);
  if (found === undefined) return failure(notDeclared(path, name, outline.declarations));
  const { begin, end, from, to } = found;
  return success({ path, name, from, to, text: text.slice(begin, end) });
}

/** Why a file has no outline. */
export function noParser(path: string): ActProblem {
  return problem(
    "no-parser",
    `${path}: only TypeScript, JavaScript and Lisp have an outline. Use read-file and edit-file.`,
  );
}

/** Why a declaration was not found, with the name that comes nearest. */
export function notDeclared(path: string, name: string, declarations: readonly Declaration[]): ActProblem {
  const near = nearestName(
    name,
    declarations.map((one) => one.name),
  );
  const hint = near === null ? "read-code lists what it declares." : `Did you mean '${near}'?`;
  return problem("not-declared", `${path}: it declares no '${name}'. ${hint}`);
}
