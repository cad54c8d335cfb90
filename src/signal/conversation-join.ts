import {
  bottomLabel,
  joinConversationLabels,
  keyOfSource,
  type Label,
  type LabelSource,
  latestSources,
  leastTrusted,
  mostSecret,
} from "./label.ts";

/** Joins the labels of a conversation exactly as `joinConversationLabels` does. */
export type JoinConversation = (labels: readonly Label[]) => Label;

/** How many conversations are gone on from; that which was joined longest ago goes first. */
const mostKnown = 4;

/**
 * Makes a function that goes on from what it joined before: each step of each turn joins the labels of the whole conversation, and all but the last few
 * are those of the step before. Labels are known again as objects; where a conversation changed, what stands from there on is joined anew.
 */
export function makeConversationJoin(): JoinConversation {
  const known = new Map<Label, JoinedConversation>();
  return (labels) => {
    // Conversations that are not shown from their beginning all have the same note first: the second label tells them apart.
    const key = labels[1] ?? labels[0];
    if (key === undefined) return joinConversationLabels([]);
    const joined = known.get(key) ?? new JoinedConversation();
    known.delete(key);
    known.set(key, joined);
    if (known.size > mostKnown) for (const oldest of known.keys().take(1)) known.delete(oldest);
    return joined.of(labels);
  };
}

/** The join of the labels up to one of them. */
type Joined = Pick<Label, "integrity" | "secrecy"> & { readonly sources: number };

class JoinedConversation {
  readonly #labels: Label[] = [];
  readonly #joined: Joined[] = [];
  /** All sources, each once, in the order in which they came. */
  readonly #sources: LabelSource[] = [];
  readonly #keys = new Set<string>();
  /** The same as objects: to know an object again is cheaper than to compare what it says. */
  readonly #objects = new Set<LabelSource>();

  of(labels: readonly Label[]): Label {
    let same = 0;
    while (same < labels.length && this.#labels[same] === labels[same]) same += 1;
    this.#goBackTo(same);
    for (const label of labels.slice(same)) this.#add(label);
    const { integrity, secrecy } = this.#joined.at(-1) ?? bottomLabel;
    return { integrity, secrecy, sources: latestSources(this.#sources) };
  }

  #goBackTo(count: number): void {
    if (count === this.#labels.length) return;
    this.#labels.length = count;
    this.#joined.length = count;
    for (const source of this.#sources.splice(this.#joined.at(-1)?.sources ?? 0)) {
      this.#keys.delete(keyOfSource(source));
      this.#objects.delete(source);
    }
  }

  #add(label: Label): void {
    for (const source of label.sources) {
      if (this.#objects.has(source)) continue;
      this.#keys.add(keyOfSource(source));
      if (this.#keys.size === this.#sources.length) continue;
      this.#sources.push(source);
      this.#objects.add(source);
    }
    const before = this.#joined.at(-1) ?? bottomLabel;
    this.#labels.push(label);
    this.#joined.push({
      integrity: leastTrusted(before.integrity, label.integrity),
      secrecy: mostSecret(before.secrecy, label.secrecy),
      sources: this.#sources.length,
    });
  }
}
