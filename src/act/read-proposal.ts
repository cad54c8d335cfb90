import type { Action } from "../signal/action.ts";
import type { Label } from "../signal/label.ts";
import type { Caller, Tool } from "../signal/tool.ts";
import { makeNameRegistry, type NameRegistry } from "./actuators.ts";
import { labelOfReason } from "./label-of-reason.ts";
import { normaliseAction } from "./normalise-action.ts";
import type { Preparer } from "./preparer-parts.ts";
import { resolveAction } from "./resolve-action.ts";
import { resolveLineOf, resolveReferencesOf } from "./resolve-references.ts";

/** Takes a proposal as what this program knows: its references, its names and its actuator or tool. */
export async function readProposal(preparer: Preparer, proposed: Action, caller: Caller) {
  const referred = resolveReferencesOf(proposed, caller);
  if (!referred.ok) return referred;
  const tools = await toolsIn(preparer, (caller.subTask ?? caller).workspace);
  const normalised = normaliseAction(referred.action, tools, caller.workspace);
  if (!normalised.ok) return normalised;
  const lined = resolveLineOf(normalised.action, caller);
  if (!lined.ok) return lined;
  const { action } = lined;
  const { actuators, defaultActuator } = preparer.parts;
  const resolved = resolveAction(action, caller, { actuators, tools, defaultActuator });
  if (!resolved.ok) return resolved;
  const references = [...referred.references, ...lined.references];
  return { ok: true, action, resolved, renamed: normalised.renamed, references } as const;
}

/**
 * The label of what is wrong with a proposal: it quotes its words, and a name may be made of private text.
 */
export function labelOfQuoted(
  { parts }: Preparer,
  { target, payload }: Action,
  caller: Caller,
): Promise<Label> {
  const preparation = { ok: false, code: "", message: "" } as const;
  return labelOfReason({ payload: { target, payload }, preparation, caller }, parts);
}

/**
 * The tools of this program, with those of servers where there are any. A name that is taken stays with this
 * program, and what was taken away since the turn began is not among them.
 */
async function toolsIn({ parts, tools }: Preparer, workspace: string | null): Promise<NameRegistry<Tool>> {
  if ((parts.addedTools?.() ?? []).length > 0) await parts.refreshAdded?.();
  const own = tools();
  const external = (await parts.externalTools?.(workspace)) ?? [];
  if (external.length === 0) return own;
  const others = makeNameRegistry("tool", external);
  return { names: [...own.names, ...others.names], find: (name) => own.find(name) ?? others.find(name) };
}
