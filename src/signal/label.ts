/** One source of a value: the id of a result, signal or file, and the JSON pointer inside it. */
export type LabelSource = { readonly id: string; readonly path: string };

/** How far a value is trusted, who may see it, and where it came from. Labels belong to values, not to conversations. */
export type Label = {
  readonly integrity: "user" | "agent" | "untrusted";
  readonly secrecy: "public" | "private" | "secret";
  readonly sources: readonly LabelSource[];
};

/** The label of a field of a value and of all below it, by its JSON pointer. */
export type FieldLabel = { readonly path: string; readonly label: Label };

/** A value of a turn with its label; with labels of their own for its fields where these are known. */
export type LabelledValue<T> = {
  readonly value: T;
  readonly label: Label;
  readonly fields?: readonly FieldLabel[];
};

/** The label of a place in a value: that of the innermost field that has one, else that of the whole. */
export function labelAt({ label, fields = [] }: Omit<LabelledValue<unknown>, "value">, place: string): Label {
  const own = fields.filter(({ path }) => place === path || place.startsWith(`${path}/`));
  return own.toSorted((one, other) => other.path.length - one.path.length)[0]?.label ?? label;
}

const integrities: readonly Label["integrity"][] = ["user", "agent", "untrusted"];
const secrecies: readonly Label["secrecy"][] = ["public", "private", "secret"];

/** The neutral element of `joinLabels`: from the owner, public, without sources. */
export const bottomLabel: Label = { integrity: "user", secrecy: "public", sources: [] };

/** The label of a derived value: the least trusted integrity, the highest secrecy and all the sources of its inputs. */
export function joinLabels(...labels: readonly Label[]): Label {
  return joinAll(labels);
}

/** A label that says of others only how secret they are. */
export function secrecyOf(labels: Iterable<Label>): Label {
  return { ...bottomLabel, secrecy: joinAll(labels).secrecy };
}

/** The join of a list of labels, however long it is. */
export function joinAll(labels: Iterable<Label>): Label {
  const sources: LabelSource[] = [];
  const known = new Set<string>();
  // The labels of a conversation share their sources, and to know an object again is cheaper than to compare what it says.
  const met = new Set<LabelSource>();
  let { integrity, secrecy } = bottomLabel;
  for (const label of labels) {
    integrity = leastTrusted(integrity, label.integrity);
    secrecy = mostSecret(secrecy, label.secrecy);
    for (const source of label.sources) {
      if (met.has(source)) continue;
      met.add(source);
      known.add(keyOfSource(source));
      if (known.size > sources.length) sources.push(source);
    }
  }
  return { integrity, secrecy, sources };
}

/** The integrity of what is derived from both. */
export function leastTrusted(one: Label["integrity"], other: Label["integrity"]): Label["integrity"] {
  return integrities.indexOf(one) < integrities.indexOf(other) ? other : one;
}

/** The secrecy of what is derived from both. */
export function mostSecret(one: Label["secrecy"], other: Label["secrecy"]): Label["secrecy"] {
  return secrecies.indexOf(one) < secrecies.indexOf(other) ? other : one;
}

/** The same text for sources that say the same, and for no others. */
export function keyOfSource({ id, path }: LabelSource): string {
  return `${path.length} ${path}${id}`;
}

/** The maximum number of sources in the label of a conversation. */
export const maxSources = 32;

/** The join of a whole conversation, with its latest sources only. A long conversation has thousands, and every call would repeat them all. */
export function joinConversationLabels(labels: readonly Label[]): Label {
  const whole = joinAll(labels);
  return { ...whole, sources: latestSources(whole.sources) };
}

/** The latest sources of a conversation; of a skill, which a question must name, also an older one. */
export function latestSources(sources: readonly LabelSource[]): readonly LabelSource[] {
  const isSkill = ({ id }: LabelSource): boolean => skillOfSource(id) !== null;
  const skills = sources.filter(isSkill).slice(-maxSources);
  const others = sources.filter((source) => !isSkill(source));
  return [...skills, ...others.slice(Math.max(0, others.length - maxSources + skills.length))];
}

const skillPrefix = "skill:";

/** The source of what stands in a skill's file. */
export function sourceOfSkill(name: string): LabelSource {
  return { id: `${skillPrefix}${name}`, path: "" };
}

/** The skill whose file a source is; null for any other source. */
export function skillOfSource(id: string): string | null {
  return id.startsWith(skillPrefix) ? id.slice(skillPrefix.length) : null;
}

/** True if the label is at most as secret as `secrecy`. */
export function isNoMoreSecretThan(label: Label, secrecy: Label["secrecy"]): boolean {
  return secrecies.indexOf(label.secrecy) <= secrecies.indexOf(secrecy);
}
