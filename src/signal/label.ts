/** One source of a value: the id of a result, signal or file, and the JSON pointer inside it. */
export type LabelSource = { readonly id: string; readonly path: string };

/** How far a value is trusted, who may see it, and where it came from. Labels belong to values, not to conversations. */
export type Label = {
  readonly integrity: "user" | "agent" | "untrusted";
  readonly secrecy: "public" | "private" | "secret";
  readonly sources: readonly LabelSource[];
};

/** A value of a turn with its label. */
export type LabelledValue<T> = { readonly value: T; readonly label: Label };

const integrities: readonly Label["integrity"][] = ["user", "agent", "untrusted"];
const secrecies: readonly Label["secrecy"][] = ["public", "private", "secret"];

/** The neutral element of `joinLabels`: from the owner, public, without sources. */
export const bottomLabel: Label = { integrity: "user", secrecy: "public", sources: [] };

/** The label of a derived value: the least trusted integrity, the highest secrecy and all the sources of its inputs. */
export function joinLabels(...labels: readonly Label[]): Label {
  const sources: LabelSource[] = [];
  const known = new Set<string>();
  // The labels of a conversation share their sources, and to know an object again is cheaper than to compare what it says.
  const met = new Set<LabelSource>();
  let [integrity, secrecy] = [0, 0];
  for (const label of labels) {
    integrity = Math.max(integrity, integrities.indexOf(label.integrity));
    secrecy = Math.max(secrecy, secrecies.indexOf(label.secrecy));
    for (const source of label.sources) {
      if (met.has(source)) continue;
      met.add(source);
      known.add(`${source.path.length} ${source.path}${source.id}`);
      if (known.size > sources.length) sources.push(source);
    }
  }
  return {
    integrity: integrities[integrity] as Label["integrity"],
    secrecy: secrecies[secrecy] as Label["secrecy"],
    sources,
  };
}

/** The maximum number of sources in the label of a conversation. */
const maxSources = 32;

/** The join of a whole conversation, with its latest sources only. A long conversation has thousands, and every call would repeat them all. */
export function joinConversationLabels(labels: readonly Label[]): Label {
  const whole = joinLabels(bottomLabel, ...labels);
  return { ...whole, sources: whole.sources.slice(-maxSources) };
}

/** True if the label is at most as secret as `secrecy`. */
export function isNoMoreSecretThan(label: Label, secrecy: Label["secrecy"]): boolean {
  return secrecies.indexOf(label.secrecy) <= secrecies.indexOf(secrecy);
}
