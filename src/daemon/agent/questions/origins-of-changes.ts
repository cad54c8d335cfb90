import type { OriginPort } from "../../../act/files/file-ports.ts";
import type { Label } from "../../../signal/label.ts";

/**
 * The origins of a file that one writer writes again and again. What the writer left there has the label that
 * it was written with. Of a change only that counts which is not the same in both versions: `written` gives
 * the entries that the writer wrote last, and such an entry that stays without a tag or a line of somebody
 * else says nothing of another.
 */
export function originsOfChanges(origins: OriginPort, written: () => Iterable<string>): OriginPort {
  let last: { readonly digest: string; readonly label: Label } | null = null;
  return {
    ...origins,
    async inside(path, digest, bytes) {
      return digest === last?.digest ? last.label : origins.inside(path, digest, bytes);
    },
    async lifted(path, versions) {
      const [before, after] = [versions.before[0], versions.after[0]];
      if (before === undefined || after === undefined) return origins.lifted(path, versions);
      const changed = withoutShared({ before, after }, written());
      return origins.lifted(path, { before: [changed.before], after: [changed.after] });
    },
    async keep(digest, label, change) {
      const { before, after } = change;
      const changed = before === null ? {} : withoutShared({ before, after }, written());
      await origins.keep(digest, label, { ...change, ...changed });
      last = { digest, label };
    },
  };
}

type Versions = { readonly before: Uint8Array; readonly after: Uint8Array };

/** Two versions of an Org file without those of these entries that both have, and that have no tags. */
function withoutShared({ before, after }: Versions, written: Iterable<string>): Versions {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const plain = new Set<string>();
  for (const entry of written) if (/^\* .*[^:]\n/.test(entry)) plain.add(latin1(Buffer.from(entry)));
  const [inOld, inNow] = [new Set(old), new Set(now)];
  const isShared = (entry: string): boolean => plain.has(entry) && inOld.has(entry) && inNow.has(entry);
  const rest = (entries: readonly string[]): Uint8Array =>
    Buffer.from(entries.filter((entry) => !isShared(entry)).join(""), "latin1");
  return { before: rest(old), after: rest(now) };
}

/** What stands before the first entry of the first level, and these entries. */
function entriesOf(bytes: Uint8Array): readonly string[] {
  return latin1(bytes).split(/(?<=\n)(?=\* )/);
}

/** Bytes as characters, one each. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
