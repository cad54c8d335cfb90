import type { ToolDeclaration } from "../../signal/tool.ts";
import type { ModelFailure, ModelRequest } from "./model-port.ts";

/**
 * A request without the tools that others describe, their names, and those of them that the provider named.
 */
export type Reduced = {
  readonly request: ModelRequest;
  readonly left: readonly ToolDeclaration[];
  readonly named: readonly ToolDeclaration[];
};

/**
 * The request without the tools that are not described by this program itself, where a provider refused it
 * for its tools or for a schema; null where that would change nothing.
 */
export function withoutForeignTools(request: ModelRequest, failure: ModelFailure): Reduced | null {
  if (
    failure.code !== "bad-request" ||
    !/\b(?:tools?|functions?|function_declarations)\b|schema/i.test(failure.message)
  )
    return null;
  const left = request.tools.filter(isForeign);
  if (left.length === 0) return null;
  const named = left.filter((tool) => isNamed(tool, request.tools.indexOf(tool), failure.message));
  return { request: { ...request, tools: request.tools.filter((tool) => !isForeign(tool)) }, left, named };
}

/** What the person is told of it. */
export function describeReduced(
  { left, named }: Reduced,
  provider: string,
  { message }: ModelFailure,
): string {
  const names = left.map(({ name }) => name);
  const shown = names.length > 8 ? [...names.slice(0, 8), `${names.length - 8} more`] : names;
  const which = named.length === 0 ? "" : ` It named ${named.map(({ name }) => name).join(", ")}.`;
  return `${provider} refused a description of a tool: ${message}.${which} It was asked again without the tools of others: ${shown.join(", ")}.`;
}

/** The tools that providers refused, so that no further request is refused for them. */
export class RefusedTools {
  readonly #refused = new Set<string>();

  /** Notes the tools that a provider named, or all that were left out where it named none. */
  add(provider: string, { left, named }: Reduced): void {
    for (const tool of named.length === 0 ? left : named) this.#refused.add(keyOf(provider, tool));
  }

  /** The request without the tools that this provider refused, as they are described now. */
  leaveOut(provider: string, request: ModelRequest): ModelRequest {
    if (this.#refused.size === 0) return request;
    const tools = request.tools.filter(
      (tool) => !isForeign(tool) || !this.#refused.has(keyOf(provider, tool)),
    );
    return tools.length === request.tools.length ? request : { ...request, tools };
  }
}

function isForeign({ label }: ToolDeclaration): boolean {
  return label !== undefined;
}

function keyOf(provider: string, { name, parameters }: ToolDeclaration): string {
  return JSON.stringify([provider, name, parameters]);
}

/** Whether a message of a provider means a tool: by its name, or by its place among all. */
function isNamed({ name }: ToolDeclaration, at: number, message: string): boolean {
  const places = [...message.matchAll(/(?:function_declarations|tools)[.[](\d+)/g)];
  const words = message.split(/[^A-Za-z0-9_.-]+/).map((word) => word.replace(/\.$/, ""));
  return words.includes(name) || places.at(-1)?.[1] === String(at);
}
