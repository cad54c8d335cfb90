import { readWholeFile } from "../../../act/files/contents.ts";
import type { NameOrigins } from "../../../act/files/file-ports.ts";
import { sha256 } from "../../../machine/digest.ts";
import { findBacklinks } from "../../../memory/notes/backlinks.ts";
import { adviceOnMissingFolder } from "../../../memory/notes/folder/describe-folders.ts";
import type { FileLabelRules } from "../../../memory/notes/labels/label-of-file.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { SemanticIndex } from "../../../memory/recall/semantic-index.ts";
import type { State } from "../../../memory/state/state.ts";
import { mostHistoryTokens } from "../../../reason/prepare-prompt.ts";
import type { KeptJob } from "../../../signal/jobs/job.ts";
import { bottomLabel, joinAll, type Label, secrecyOf } from "../../../signal/label.ts";
import { beginOf } from "../../../text/cut-text.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import { textOfBytes } from "../../../text/utf16-text.ts";
import { isPlaceGone } from "../../commands/session-place.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";
import type { ToolPorts } from "./assemble-tools.ts";

/** What the tools use of memory. `semanticIndex` is null where no embedding provider is set up. */
type MemoryPortParts = {
  readonly state: State;
  readonly notes: Notes;
  readonly privateText: Pick<KnownPrivateText, "keep">;
  readonly semanticIndex: Pick<SemanticIndex, "nearest" | "problem"> | null;
  readonly privacyTags: readonly string[];
};

/** Makes the ports through which the tools use memory. */
export function makeMemoryPorts(
  parts: MemoryPortParts,
): Pick<
  ToolPorts,
  | "origins"
  | "keepObject"
  | "search"
  | "backlinks"
  | "stampsFor"
  | "ownItems"
  | "incomplete"
  | "fileOfNode"
  | "isPlaceGone"
> {
  const { state, notes, semanticIndex, privacyTags } = parts;
  return {
    origins: makeOriginPorts(parts),
    keepObject: makeObjectKeeper(state),
    isPlaceGone: (session, folder) => isPlaceGone(state, session, folder),
    async search({ typedIn, ...query }) {
      await notes.ready();
      const { searchMemory } = await import("../../../memory/recall/search-memory.ts");
      const sources = { notes, state, semanticIndex };
      if (typedIn === null) return searchMemory(sources, query);
      // The turns that the session still holds are before the owner's eyes.
      const withoutTurns = await state.turns.inHistory(typedIn, { tokens: mostHistoryTokens });
      return searchMemory(sources, { ...query, matchesOnly: true, withoutTurns });
    },
    async backlinks(id) {
      await notes.ready();
      return (await findBacklinks(notes, id)).map(({ node: { id: from, title, label }, line }) => ({
        id: from,
        title,
        line,
        label,
      }));
    },
    async stampsFor(from, to) {
      await notes.ready();
      // The heading of an encrypted text stays readable, as in a search.
      return (await notes.agendaStamps(from, to)).map((stamp) =>
        stamp.label.secrecy === "secret"
          ? { ...stamp, label: { ...stamp.label, secrecy: "private" } }
          : stamp,
      );
    },
    ownItems: (budgetPerDay) => ownItemsFor({ state, privacyTags }, budgetPerDay),
    async fileOfNode(id) {
      await notes.ready();
      const node = await notes.index.resolveId(id);
      return node === null ? null : notes.pathOf(node.file);
    },
    incomplete: async () => whyIncomplete(parts),
  };
}

/** Why a search may miss some notes now, for the model; null where it misses none. */
export function whyIncomplete({
  notes,
  semanticIndex,
}: Pick<MemoryPortParts, "notes" | "semanticIndex">): string | null {
  const { folder, present, lost, indexing } = notes.status();
  if (lost.length > 0) return lost.map(({ path, problem }) => `${path}: ${problem}`).join(" ");
  if (!present) return adviceOnMissingFolder(folder);
  if (indexing === null) return semanticIndex?.problem() ?? null;
  return `The notes are being indexed (${indexing.done} of ${indexing.of} files); there may be more.`;
}

function makeObjectKeeper(state: State): ToolPorts["keepObject"] {
  return async ({ id, text, label, turn, session }) => {
    const [title = ""] = text.trim().split("\n");
    await state.objects.put(
      {
        id,
        realm: "own",
        type: "note",
        parent: null,
        attributes: { title: beginOf(title, 200) },
        content: text,
        label,
      },
      { turn, session },
    );
  };
}

/** What of the agent itself waits for its owner, as a model is told it. */
async function ownItemsFor(
  { state, privacyTags }: Pick<MemoryPortParts, "state" | "privacyTags">,
  budgetPerDay: number,
): Promise<string> {
  const { ownAgenda, printOwnItems } = await import("../../../memory/state/own-agenda.ts");
  const { labelOfKeptWords } = await import("../../../memory/notes/labels/label-of-words.ts");
  const isPrivateJob = ({ work }: KeptJob): boolean =>
    work.kind === "words" && labelOfKeptWords(work, privacyTags).secrecy !== "public";
  const items = await ownAgenda({ state, budgetPerDay, now: Date.now(), isPrivateJob });
  return printOwnItems(items, "model");
}

function makeOriginPorts({ state, notes, privateText, privacyTags }: MemoryPortParts): ToolPorts["origins"] {
  const { place } = notes;
  const labels = { privacyTags, originsOf: state.origins.of, notes: place };
  /** Gives the label of a file, and remembers what is private in it: it may turn up elsewhere once the file is changed or gone. */
  const learnFile = async (path: string, bytes: Uint8Array): Promise<Label> => {
    const { labelOfFile } = await import("../../../memory/notes/labels/label-of-file.ts");
    const { label, privateTexts } = await labelOfFile(path, bytes, labels);
    if (privateTexts.length > 0) await privateText.keep(privateTexts);
    const attached = await notes.labelOfAttached([path]);
    if (attached.secrecy !== "public") await privateText.keep([textOfBytes(bytes)]);
    return label;
  };
  return {
    attached: (paths) => notes.labelOfAttached(paths),
    names: makeNameOrigins(state),
    unlabelled: state.unlabelledWrites,
    ...makeWatchers({ state, notes }, labels),
    async of(digests) {
      const known = [...(await state.origins.of(digests)).values()];
      return known.length === 0 ? null : joinAll(known.map(({ label }) => label));
    },
    async inside(path, digest, bytes) {
      if (bytes !== undefined) return learnFile(path, bytes);
      const { unreadFileLabel } = await import("../../../memory/notes/labels/label-of-file.ts");
      const read = await readWholeFile(path);
      const contents = read.ok ? read.value : null;
      return contents?.digest === digest ? learnFile(path, contents.bytes) : unreadFileLabel;
    },
    async insideLarge(path, pieces) {
      const { labelOfLargeText } = await import("../../../notes/label-of-large-text.ts");
      return labelOfLargeText(pieces, { path, privacyTags });
    },
    async touched(versions) {
      const { labelOfTouched } = await import("../../../memory/notes/labels/label-of-file.ts");
      return labelOfTouched(versions, labels);
    },
    async lifted(path, versions) {
      const { findLiftedMarks } = await import("../../../memory/notes/labels/lifted-marks.ts");
      return findLiftedMarks({ path, notes: place, privacyTags }, versions);
    },
    async keep(digest, label, { path, before, after, label: flowing, movedFrom = null }) {
      await state.origins.keep([digest], label);
      if (before !== null) await learnFile(path, before);
      if (flowing.secrecy !== "public") await privateText.keep([addedText(before, after)]);
      const change = { path, before, after, movedFrom, flowing, whole: label };
      const { labelsToKeep } = await import("../../../memory/notes/labels/label-of-file.ts");
      const kept = await labelsToKeep(change, labels);
      for (const [from, parts] of Map.groupBy(kept.keys(), (part) => kept.get(part) ?? flowing))
        await state.origins.keep(parts, from);
    },
  };
}

type Watchers = Pick<ToolPorts["origins"], "watchNotes" | "watchPrivate">;

/** Makes what looks at notes before something of ours may change them, and labels them afterwards. */
function makeWatchers(
  { state, notes }: Pick<MemoryPortParts, "state" | "notes">,
  rules: FileLabelRules,
): Watchers {
  const made = { rules, index: notes.index, keep: state.origins.keep };
  return {
    async watchNotes(roots) {
      await notes.ready();
      const { watchMadeNotes } = await import("../../../memory/notes/labels/made-notes.ts");
      return watchMadeNotes(roots, made);
    },
    async watchPrivate(path) {
      await notes.ready();
      const { watchSetupFiles } = await import("../../../memory/notes/labels/made-notes.ts");
      const labelBySetup = await watchSetupFiles(made);
      const held = isOrgFile(path) ? await notes.attachmentKeys(path) : new Map<string, Label>();
      return async () => {
        await labelBySetup();
        if (held.size === 0) return;
        await notes.sync();
        const now = await notes.attachmentKeys(path);
        for (const [key, label] of held)
          if (!now.has(key)) await state.origins.keep([key], secrecyOf([label]));
        notes.forgetAttached();
      };
    },
  };
}

/** The lines of a changed file that it did not hold before. */
function addedText(before: Uint8Array | null, after: Uint8Array): string {
  const known = new Set(textOfBytes(before ?? new Uint8Array()).split("\n"));
  return textOfBytes(after)
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n");
}

/** What the recorded origins of names begin with: a name is no text. */
const ofNames = "name:";

function makeNameOrigins({ origins }: State): NameOrigins {
  /** Read once, and again once more are kept: nothing else changes them. */
  let known: ReadonlyMap<string, Label> | null = null;
  return {
    async known() {
      const labels = known ?? (await origins.under(ofNames));
      known = labels;
      return { isEmpty: labels.size === 0, labelOf: (name) => labels.get(sha256(name)) ?? bottomLabel };
    },
    async keep(names, label) {
      await origins.keep(
        names.map((name) => `${ofNames}${sha256(name)}`),
        label,
      );
      known = null;
    },
  };
}
