/** Where a value came from: the id of a result, signal or file, and the JSON pointer inside it. */
export type LabelSource = { readonly id: string; readonly path: string };

/** Where a value came from and who may see it. Labels belong to values, not to conversations. */
export type Label = {
  readonly integrity: "user" | "agent" | "untrusted";
  readonly secrecy: "public" | "private" | "secret";
  readonly sources: readonly LabelSource[];
};

/** A value that a turn knows, with the label that it entered with. */
export type LabelledValue<T> = { readonly value: T; readonly label: Label };

const integrities: readonly Label["integrity"][] = ["user", "agent", "untrusted"];
const secrecies: readonly Label["secrecy"][] = ["public", "private", "secret"];

/** The neutral element of `join`: the owner's own, for everybody, from nowhere. */
export const bottomLabel: Label = { integrity: "user", secrecy: "public", sources: [] };

/** The label of anything derived: the least trusted, most secret of its inputs, from all of their sources. */
export function joinLabels(...labels: readonly Label[]): Label {
  const sources: LabelSource[] = [];
  const known = new Set<string>();
  let [integrity, secrecy] = [0, 0];
  for (const label of labels) {
    integrity = Math.max(integrity, integrities.indexOf(label.integrity));
    secrecy = Math.max(secrecy, secrecies.indexOf(label.secrecy));
    for (const source of label.sources) {
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

/** How many sources the label of a conversation names. */
const maxSources = 32;

/** The join of a whole conversation. Of its sources it names the latest: a long one has thousands, and every call would repeat them all. */
export function joinConversationLabels(labels: readonly Label[]): Label {
  const whole = joinLabels(bottomLabel, ...labels);
  return { ...whole, sources: whole.sources.slice(-maxSources) };
}

/** True where the first label is at most as secret as the second. */
export function isNoMoreSecretThan(label: Label, secrecy: Label["secrecy"]): boolean {
  return secrecies.indexOf(label.secrecy) <= secrecies.indexOf(secrecy);
}
