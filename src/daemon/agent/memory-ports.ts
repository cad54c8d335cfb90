import { join as joinPath } from "node:path";
import { readWholeFile } from "../../act/files/contents.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import type { SemanticIndex } from "../../memory/recall/semantic-index.ts";
import type { State } from "../../memory/state/state.ts";
import type { ToolPorts } from "./assemble-tools.ts";

/** What the tools use of memory. `semanticIndex` is null where no embedding provider is set up. */
type MemoryPortParts = {
  readonly state: State;
  readonly notes: Notes;
  readonly semanticIndex: Pick<SemanticIndex, "nearest" | "problem"> | null;
  readonly privacyTags: readonly string[];
};

/** What the tools may do with memory, over this state and these notes. */
export function makeMemoryPorts({
  state,
  notes,
  semanticIndex,
  privacyTags,
}: MemoryPortParts): Pick<
  ToolPorts,
  "origins" | "keepObject" | "search" | "backlinks" | "stampsFor" | "incomplete" | "fileOfNode"
> {
  return {
    origins: makeOriginPorts(state, privacyTags),
    async keepObject({ id, text, label, turn, session }) {
      const [title = ""] = text.trim().split("\n");
      await state.objects.put(
        {
          id,
          realm: "own",
          type: "note",
          parent: null,
          attributes: { title: title.slice(0, 200) },
          content: text,
          label,
        },
        { turn, session },
      );
    },
    async search(text, limit, label) {
      await notes.ready();
      const { searchMemory } = await import("../../memory/recall/search-memory.ts");
      return searchMemory({ notes, state, semanticIndex }, { text, limit, label });
    },
    ...makeNotePorts(notes),
    incomplete() {
      const { present, indexing, folder } = notes.status();
      if (!present) return `The notes folder ${folder} is not there; only what was indexed before is found.`;
      if (indexing === null) return semanticIndex?.problem() ?? null;
      return `The notes are being indexed (${indexing.done} of ${indexing.of} files); there may be more.`;
    },
  };
}

function makeOriginPorts(state: State, privacyTags: readonly string[]): ToolPorts["origins"] {
  const labels = { privacyTags, originsOf: state.origins.of };
  return {
    of: async (digest) => (await state.origins.of([digest])).get(digest)?.label ?? null,
    async inside(path, digest, bytes) {
      const { labelOfFile, unreadFileLabel } = await import("../../memory/notes/labels/label-of-file.ts");
      if (bytes !== undefined) return labelOfFile(path, bytes, labels);
      const read = await readWholeFile(path);
      const contents = read.ok ? read.value : null;
      return contents?.digest === digest ? labelOfFile(path, contents.bytes, labels) : unreadFileLabel;
    },
    async keep(digest, label, { path, before, after, label: flowing }) {
      await state.origins.keep([digest], label);
      const change = { path, before, after, flowing, whole: label };
      const { labelsToKeep } = await import("../../memory/notes/labels/label-of-file.ts");
      const kept = await labelsToKeep(change, labels);
      for (const [words, from] of kept) await state.origins.keep([words], from);
    },
  };
}

/** What the tools ask of the notes, each time after the index has caught up. */
function makeNotePorts(notes: Notes): Pick<ToolPorts, "backlinks" | "stampsFor" | "fileOfNode"> {
  return {
    async backlinks(id) {
      await notes.ready();
      const { findBacklinks } = await import("../../memory/notes/backlinks.ts");
      return (await findBacklinks(notes, id)).map(({ node, line }) => ({
        id: node.id,
        title: node.title,
        line,
        label: node.label,
      }));
    },
    async stampsFor(from, to) {
      await notes.ready();
      // The heading of an encrypted text stays readable, as in a search.
      return (await notes.index.stampsFor(from, to)).map((stamp) =>
        stamp.label.secrecy === "secret"
          ? { ...stamp, label: { ...stamp.label, secrecy: "private" } }
          : stamp,
      );
    },
    async fileOfNode(id) {
      await notes.ready();
      const node = await notes.index.resolveId(id);
      return node === null ? null : joinPath(notes.status().folder, node.file);
    },
  };
}
