import { commandOf } from "../../../shown/action-text.ts";
import { describeEffect } from "../../../shown/describe-effect.ts";
import type { Action } from "../../../signal/action.ts";
import type { Effect } from "../../../signal/effect.ts";
import { shorten } from "../../../text/cut-text.ts";
import { canonicalJson, isJsonObject, type Json } from "../../../text/json.ts";

/** What a model proposed. `words`: who would do it, or, where there is nothing to compare, why. `steps`: what is compared; null for nothing. */
export type Proposal = {
  readonly words: string;
  readonly steps: string | null;
  readonly calls: readonly { readonly action: Action; readonly effects: readonly Effect[] }[];
};

/** How many effects a question tells of one model, and how many characters of a command line. */
const mostTold = 4;
const longestLine = 200;

/** What is compared of some steps: all of them in their order, but that of files which are deleted one behind the other. */
export function joinSteps(steps: readonly Json[]): string {
  const groups: string[][] = [];
  let deletes = false;
  for (const step of steps) {
    const isDeletion = isJsonObject(step) && "delete" in step;
    if (!(deletes && isDeletion)) groups.push([]);
    groups.at(-1)?.push(canonicalJson(step));
    deletes = isDeletion;
  }
  return canonicalJson(groups.map((group) => [...new Set(group)].toSorted()));
}

/** Says what each model would do, what only it would do first. Contents are not told: where only they differ, it is said that they do. */
export function describeProposals(own: Proposal, others: readonly Proposal[]): string {
  const all = [own, ...others];
  return all.map((proposal) => describe(proposal, proposal === own ? others : [own])).join("; ");
}

function describe(proposal: Proposal, others: readonly Proposal[]): string {
  const { words, steps } = proposal;
  if (steps === null) return words;
  const effects = effectsOf(proposal);
  if (effects.length === 0) return `${words} do nothing`;
  const known = others.map((other) => new Set(effectsOf(other)));
  const isShared = (effect: string): boolean => known.every((set) => set.has(effect));
  const ordered = effects.toSorted((one, other) => Number(isShared(one)) - Number(isShared(other)));
  const more = effects.length > mostTold ? [`and ${effects.length - mostTold} more`] : [];
  const told = [...ordered.slice(0, mostTold), ...more].join(", ");
  const alike = others.find((other) => other.steps !== steps && isSameList(effectsOf(other), effects));
  return `${words} ${told}${alike === undefined ? "" : howWritten(proposal, alike)}`;
}

/** What tells a proposal from another one whose effects have the same names. */
function howWritten(proposal: Proposal, other: Proposal): string {
  const line = linesOf(proposal);
  if (line === linesOf(other)) return ", with contents of its own";
  return `, as ${shorten(line, longestLine)}`;
}

function linesOf({ calls }: Proposal): string {
  return calls.flatMap(({ action }) => commandOf(action) ?? []).join("; ");
}

function effectsOf({ calls }: Proposal): readonly string[] {
  return calls.flatMap(({ effects }) => effects.map(describeEffect));
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return canonicalJson(one.toSorted()) === canonicalJson(other.toSorted());
}
