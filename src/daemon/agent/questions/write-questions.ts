import { access } from "node:fs/promises";
import { readWholeFile } from "../../../act/files/contents.ts";
import { type ActProblem, done, errorCode, type Fallible, problem } from "../../../act/files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../../act/files/file-ports.ts";
import { sameBytes } from "../../../act/files/merge-versions.ts";
import { prepareChange } from "../../../act/files/prepare-change.ts";
import { resolveTypedPath } from "../../../act/files/typed-path.ts";
import { styleOf } from "../../../act/review/entry.ts";
import { fileQuestionsInSteps, isQuestionFile } from "../../../act/review/question-file.ts";
import { digestOf, sha256 } from "../../../machine/digest.ts";
import { runInSlices } from "../../../machine/yield-to-event-loop.ts";
import { findLostNotes } from "../../../memory/notes/open-own-notes.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { type ListedQuestion, questionsFileName } from "../../../signal/listed-question.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { makeJournalPort } from "../resources/journal-port.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { makeMemoryPorts } from "../tools/memory-ports.ts";
import { originsOfChanges } from "./origins-of-changes.ts";

/** What the file is to show. */
export type QuestionsToWrite = {
  /** Names this state of the questions: the same state is not written to the same file again. */
  readonly key: string;
  readonly isEmpty: boolean;
  /** The ids of the questions that get an entry where the file has none. */
  readonly missing: ReadonlySet<string>;
  readonly more: number;
  readonly questions: () => Promise<readonly ListedQuestion[]>;
};

/**
 * `absent`: there is no notes folder, which the first note makes and no question, or nothing to show and no
 * file.
 */
export type WriteQuestions = (wanted: QuestionsToWrite) => Promise<"written" | "absent" | ActProblem>;

/** What the writer uses of the agent. */
type QuestionWriterParts = Pick<
  LoopResources,
  "policy" | "state" | "notes" | "privateText" | "semanticIndex"
>;

/**
 * Opens the only writer of the file. Each write is judged and journalled like any other, but it is no turn,
 * and nothing of it is kept for undo: the questions
 * are in the state, and the file only shows them.
 */
export function openQuestionWriter(parts: QuestionWriterParts): WriteQuestions {
  const last = { key: "", digest: "", written: new Map() as ReadonlyMap<string, string> };
  const ports = filePortsOf(parts, () => last.written.values());
  const style = styleOf(ports.folders.notes, parts.policy.config);
  return async ({ key, isEmpty, missing, more, questions }) => {
    if (!(await isThere(ports.folders.notes))) return (await lostFolder(parts)) ?? "absent";
    const located = await placeOf(ports);
    if (!located.ok) return located;
    const place = located.value;
    const read = await readWholeFile(place);
    if (!read.ok) return read;
    if (read.value === null) {
      const lost = await lostFolder(parts);
      if (lost !== null || isEmpty) return lost ?? "absent";
    } else if (read.value.digest === last.digest && key === last.key) return "written";
    const listed = await questions();
    if (read.value !== null && !isQuestionFile(read.value.bytes, listed)) return fileOfOwner(place);
    const list = { questions: listed, missing, more, written: last.written };
    let written = last.written;
    const prepared = await prepareChange(
      {
        path: place,
        written: place,
        shownAs: questionsFileName,
        session: "",
        label: labelOf(listed),
        readsContents: false,
        contentLabel: async (digest, bytes) => {
          const around = await labelOfPath(place, null, ports);
          return joinLabels(await labelOfContents(around, digest, ports, bytes), labelOf(listed));
        },
        async change(current) {
          const filed = await runInSlices(fileQuestionsInSteps(current, list, style));
          written = filed.written;
          return done(current !== null && sameBytes(current, filed.bytes) ? current : filed.bytes);
        },
      },
      ports,
    );
    const failed = await judgeAndRun(parts, prepared);
    if (failed !== null) return failed;
    const digest = prepared.changes[0]?.after ?? read.value?.digest ?? "";
    Object.assign(last, { key, digest, written });
    return "written";
  };
}

/** Waits in the background where the disk of the folder hangs. */
async function isThere(folder: string): Promise<boolean> {
  try {
    await access(folder);
    return true;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return false;
  }
}

function fileOfOwner(path: string): ActProblem {
  const words = "is a file of yours, which stays as it is. Rename it, and the questions stand in a new one.";
  return problem("file-of-owner", `${path} ${words}`);
}

/** The label of what the entries hold: never private, since nothing private is written. */
function labelOf(questions: readonly ListedQuestion[]): Label {
  const isUntrusted = questions.some(({ about }) => about?.integrity === "untrusted");
  return { ...bottomLabel, integrity: isUntrusted ? "untrusted" : "agent" };
}

function filePortsOf({ policy, ...parts }: QuestionWriterParts, written: () => Iterable<string>): FilePorts {
  const { watchPrivate: _, ...origins } = makeMemoryPorts({
    ...parts,
    privacyTags: policy.config.privacyTags,
  }).origins;
  return {
    folders: policy.folders,
    isSecretPath: policy.isSecretPath,
    // Nothing is attached to a question, and no note takes its settings from this file.
    origins: originsOfChanges(origins, written),
    // What the file held is not kept: no undo brings it back, and what is forgotten is gone.
    keepPreImage: async ({ before }) => (before === null ? "" : sha256(before)),
    planPreImage: async () => [],
    isTrusted: async () => false,
  };
}

/** The real path of the file. */
function placeOf({ folders: { notes, home } }: FilePorts): Promise<Fallible<string>> {
  return resolveTypedPath(`${notes}/${questionsFileName}`, { workspace: null, home });
}

/**
 * What is wrong where the disk of the notes is not mounted: nothing is written into the folder that is there
 * instead.
 */
async function lostFolder({ policy, state: _, ...parts }: QuestionWriterParts): Promise<ActProblem | null> {
  const lost = await findLostNotes(policy.notesPlace, policy.config.places.state);
  const own = lost.find(({ path }) => path === parts.notes.place.folder);
  return own === undefined ? null : problem("folder-lost", own.problem);
}

const explanation = "The program lists in your notes what it asks you.";

async function judgeAndRun(
  { policy, state }: QuestionWriterParts,
  prepared: Extract<Preparation, { readonly ok: true }>,
): Promise<ActProblem | null> {
  const { effects, changes } = prepared;
  const facts = policy.makeFacts({
    action: { kind: "command", target: "system", tool: null, explanation, problems: [] },
    origin: { person: "nobody", source: "cli", session: "", startedBy: "nobody" },
    workspace: null,
  });
  const { decision: verdict, reason, trace } = policy.judge(effects, facts);
  const journal = makeJournalPort(state);
  const about = { digest: digestOf(changes.map((change) => ({ ...change }))), effects };
  if (verdict !== "pass") {
    await journal({ kind: "verdict", ...about, facts, verdict, trace });
    return problem("not-allowed", reason);
  }
  const detail = { event: "questions-listed" };
  if (changes.length > 0) await journal({ kind: "intent", ...about, facts, verdict, trace, changes, detail });
  const outcome = await prepared.run(new AbortController().signal);
  const failed = outcome.status === "error" ? problem(outcome.code, outcome.message) : null;
  const end = { ...detail, status: outcome.status, code: failed?.code ?? "" };
  if (changes.length > 0) await journal({ kind: "outcome", ...about, detail: end });
  return failed;
}
