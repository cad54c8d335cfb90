import { makeEventLoopYield } from "../../../machine/yield-to-event-loop.ts";
import { pathOfNote } from "../../../memory/notes/folder/notes-folders.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { HistoryLearner } from "../../../memory/private-text/learn-history.ts";
import { longestByWord } from "../../../memory/private-text/private-texts.ts";
import type {
  PrivateNotesLearner as Learner,
  LongPrivateFile,
} from "../../../memory/recall/learn-private-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import type { PrivatePassages } from "../../../reason/model/render.ts";
import type { Policy } from "../../../settings/policy.ts";
import { bottomLabel, joinAll, type Label } from "../../../signal/label.ts";
import type { Outcome } from "../../../signal/tool.ts";
import { type Json, textsIn } from "../../../text/json.ts";
import { textOfBytes } from "../../../text/utf16-text.ts";
import { type LabelAgain, openLabelAgain } from "./label-again.ts";

/** What is known of private text, for everything that may leave this machine. */
export type KnownPrivateText = PrivatePassages & {
  /** Resolves when every private note of the index is known. Throws where that cannot be; then nothing may leave. */
  readonly ready: () => Promise<void>;
  /** The passages of a text that stand in a private text. Throws before `ready`. */
  readonly passagesIn: (text: string) => readonly string[];
  /** Takes texts for public, as the owner said. False where a private note holds a part of them. */
  readonly release: (texts: readonly string[]) => Promise<boolean>;
  /** Whether a passage of the text stands in a private text. Throws before `ready`. */
  readonly holdsPrivate: (text: string) => boolean;
  /** The label that the privacy tags in a tool's outcome give it. What they cover is remembered, unless it came from a host. */
  readonly labelOfOutcome: (outcome: Outcome, fromHost: boolean) => Promise<Label>;
  /** Remembers the private text in the history of the repositories at or above some folders. The label of what may be printed of it: private until all of it is known. */
  readonly labelOfHistory: (folders: readonly string[]) => Promise<Label>;
  /** Messages as they may be shown now: the files that they were read from are looked at again. */
  readonly labelAgain: LabelAgain;
  /** Remembers what the privacy tags in a text cover. */
  readonly learnMarked: (text: string) => Promise<void>;
  /** Remembers that texts are private. */
  readonly keep: (texts: readonly string[]) => Promise<void>;
};

/** Milliseconds that a command waits until the history that it may print is looked through. */
const historyPatience = 5000;

/** Joins the private texts of the state to the notes that they are learned from. */
export function openKnownPrivateText({
  state,
  notes,
  policy,
  report,
}: {
  readonly state: Pick<State, "privateTexts" | "origins">;
  readonly notes: Notes;
  readonly policy: Policy;
  readonly report: (message: string) => void;
}): KnownPrivateText {
  const { privateTexts } = state;
  const { privacyTags } = policy.config;
  let learner: Learner | null = null;
  const tellLong = makeLongTextNotices(notes, report);
  const ready = async (): Promise<void> => {
    // Loaded before the first text leaves: an agent with local models alone never needs it.
    const { PrivateNotesLearner } = await import("../../../memory/recall/learn-private-notes.ts");
    learner ??= new PrivateNotesLearner({
      notes,
      privateTexts,
      privacyTags,
      yieldToEventLoop: makeEventLoopYield(),
    });
    await learner.learn();
    await tellLong(privateTexts, learner);
  };
  const labelOfMarked = async (said: Json, isLearned: boolean): Promise<Label> => {
    const { labelOfMarks, readTextMarks } = await import("../../../notes/label-of-text.ts");
    const marks = textsIn(said).map(({ text }) => readTextMarks(text, policy.config.privacyTags));
    const parts = marks.flatMap((each) => each.parts);
    if (parts.length > 0 && isLearned) await privateTexts.keep(parts);
    return joinAll(marks.map(labelOfMarks));
  };
  return {
    labelOfHistory: makeHistoryLabel({ privateTexts, notes, policy }),
    labelAgain: openLabelAgain({ state, notes, privacyTags }),
    ready,
    passagesIn: (text) => privateTexts.find(text).map(({ begin, end }) => text.slice(begin, end)),
    async release(texts) {
      await privateTexts.release(texts);
      await ready();
      return texts.every((text) => privateTexts.find(text).length === 0);
    },
    withhold: (text) => privateTexts.withhold(text),
    withholdAcross: (texts) => privateTexts.withholdAcross(texts),
    revision: () => privateTexts.revision,
    holdsPrivate: (text) => privateTexts.find(text).length > 0,
    labelOfOutcome: (outcome, fromHost) =>
      labelOfMarked(outcome.status === "success" ? outcome.content : outcome.message, !fromHost),
    async learnMarked(text) {
      await labelOfMarked(text, true);
    },
    keep: (texts) => privateTexts.keep(texts),
  };
}

/** Tells once of each file whose private text is not known word by word, as long as it is there. */
function makeLongTextNotices(
  { place }: Pick<Notes, "place">,
  report: (message: string) => void,
): (texts: State["privateTexts"], learner: Learner) => Promise<void> {
  const told = new Set<string>();
  const tellOnce = (key: string, words: string): void => {
    if (!told.has(key)) report(words);
    told.add(key);
  };
  return async ({ reach, isVeryMuch }, learner) => {
    if (reach === 0) return;
    for (const file of await learner.longFiles())
      tellOnce(file.path, longFile({ ...file, path: pathOfNote(place, file.path) }, reach));
    if (isVeryMuch) tellOnce("", `There is very much private text. ${ofLongText(reach)}`);
  };
}

function longFile({ path, id, why }: LongPrivateFile, reach: number): string {
  return `${path} has more than ${longestByWord.toLocaleString("en")} characters of private text. ${ofLongText(reach)} Why it is private: ${why} Split the file, or end what makes it private and say /public ${id}.`;
}

/** What is known of a private text that is not known word by word. */
function ofLongText(reach: number): string {
  return `Passages of ${reach + 8} words and more are sure to be known of it, and ${reach} words around each are withheld as well.`;
}

function makeHistoryLabel({
  privateTexts,
  notes,
  policy,
}: {
  readonly privateTexts: State["privateTexts"];
  readonly notes: Notes;
  readonly policy: Policy;
}): KnownPrivateText["labelOfHistory"] {
  let history: HistoryLearner | null = null;
  return async (folders) => {
    const { HistoryLearner } = await import("../../../memory/private-text/learn-history.ts");
    const { readTextMarks } = await import("../../../notes/label-of-text.ts");
    history ??= new HistoryLearner({
      privateTexts,
      privateParts: (bytes) => readTextMarks(textOfBytes(bytes), policy.config.privacyTags).parts,
      rules: policy.config.privacyTags.toSorted().join(":"),
      yieldToEventLoop: makeEventLoopYield(),
      patience: historyPatience,
      searchPath: policy.searchPath,
    });
    const isKnown = await history.learn([...folders, ...notes.status().folders]);
    return isKnown ? bottomLabel : { ...bottomLabel, secrecy: "private" };
  };
}
