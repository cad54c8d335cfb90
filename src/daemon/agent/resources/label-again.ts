import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { maskValue } from "../../../signal/mask-values.ts";
import type { Message } from "../../../signal/message.ts";
import type { FileLines } from "./lines-made-private.ts";

/** What labelling messages again needs. */
type LabelAgainParts = {
  readonly linesOf: (path: string) => Promise<FileLines>;
  /** The path of the file with the note of an id; null for an unknown one. */
  readonly fileOfNode: (id: string) => Promise<string | null>;
};

/** Messages as they may be shown now to a model that is local, or is not. */
export type LabelAgain = (messages: readonly Message[], isLocal: boolean) => Promise<readonly Message[]>;

/**
 * Opens it on the notes and on what is known of private text; what it needs is loaded with the first
 * messages.
 */
export function openLabelAgain({
  state: { privateTexts, origins },
  notes,
  privacyTags,
}: {
  readonly state: Pick<State, "privateTexts" | "origins">;
  readonly notes: Notes;
  readonly privacyTags: readonly string[];
}): LabelAgain {
  let opened: Promise<LabelAgain> | null = null;
  const open = async (): Promise<LabelAgain> => {
    const { makeFileLines } = await import("./lines-made-private.ts");
    const linesOf = makeFileLines({
      rules: { privacyTags, originsOf: origins.of, notes: notes.place },
      labelOfAttached: (paths) => notes.labelOfAttached(paths),
      keep: (texts) => privateTexts.keep(texts),
    });
    const fileOfNode = async (id: string): Promise<string | null> => {
      const node = await notes.index.node(id);
      return node === null ? null : notes.pathOf(node.file);
    };
    return makeLabelAgain({ linesOf, fileOfNode });
  };
  return async (messages, isLocal) => {
    opened ??= open();
    return (await opened)(messages, isLocal);
  };
}

const privateLabel: Label = { ...bottomLabel, secrecy: "private" };
/** Characters of a piece of a line that tells of it. */
const shortestPiece = 12;

/**
 * Makes a function that looks at the files again that messages were read from: what became private since is
 * withheld from a model that is not local, line by line, and makes the message private for one that is.
 */
function makeLabelAgain({ linesOf, fileOfNode }: LabelAgainParts): LabelAgain {
  // The same object for the same message and lines: what was sent before is found by its identity.
  const copies = new WeakMap<Message, Map<string, Message>>();
  const copyOf = (message: Message, key: string, copy: () => Message): Message => {
    const known = copies.get(message) ?? new Map<string, Message>();
    copies.set(message, known);
    const made = known.get(key) ?? copy();
    known.set(key, made);
    return made;
  };
  return async (messages, isLocal) => {
    const files = new Map<string, Promise<FileLines | null>>();
    const linesOfSource = async (id: string): Promise<FileLines | null> => {
      const path = id.startsWith("/") ? id : await fileOfNode(id);
      return path === null ? null : linesOf(path);
    };
    const look = async (message: Message): Promise<Message> => {
      const ids = sourcesOf(message);
      const found = await Promise.all(
        ids.map((id) => {
          const looked = files.get(id) ?? linesOfSource(id);
          files.set(id, looked);
          return looked;
        }),
      );
      if (found.includes("unknown")) return copyOf(message, "", () => asPrivate(message));
      const [hidden, open] = [new Set<string>(), new Set<string>()];
      for (const lines of found) {
        if (lines === null || lines === "unknown") continue;
        for (const line of lines.hidden) hidden.add(line);
        for (const line of lines.open) open.add(line);
      }
      if (hidden.size === 0) return message;
      const withheld = withoutLines(message, { hidden, open });
      if (withheld === null) return message;
      return isLocal
        ? copyOf(message, "", () => asPrivate(message))
        : copyOf(message, JSON.stringify(withheld), () => withheld);
    };
    return Promise.all(messages.map(look));
  };
}

/** Where the words of a message were read. What a model made of them is no part of that. */
function sourcesOf(message: Message): readonly string[] {
  switch (message.role) {
    case "result": {
      const { label, fields = [], read = [] } = message.result;
      return [...new Set([...read, ...idsOf([label, ...fields.map((field) => field.label)])])];
    }
    case "attachment":
      return [message.file.path, ...idsOf([message.label])];
    case "user":
      return message.told === true ? idsOf([message.label]) : [];
    case "assistant":
    case "rejection":
      return [];
  }
}

function idsOf(labels: readonly Label[]): readonly string[] {
  return [...new Set(labels.flatMap(({ sources }) => sources.map(({ id }) => id)))];
}

function asPrivate(message: Message): Message {
  if (message.role !== "result") return { ...message, label: joinLabels(message.label, privateLabel) };
  const label = joinLabels(message.result.label, privateLabel);
  return { ...message, result: { ...message.result, label } };
}

/** The message without its lines that are private now; null where it shows none. */
function withoutLines(message: Message, lines: Exclude<FileLines, "unknown">): Message | null {
  let isChanged = false;
  const mask = (text: string): string =>
    text
      .split("\n")
      .map((line) => {
        if (!isHidden(line.trim(), lines)) return line;
        isChanged = true;
        return "[withheld: private]";
      })
      .join("\n");
  const masked = maskMessage(message, mask);
  return isChanged ? masked : null;
}

function isHidden(shown: string, { hidden, open }: Exclude<FileLines, "unknown">): boolean {
  const stands = (line: string): boolean =>
    shown.includes(line) || (shown.length >= shortestPiece && line.includes(shown));
  return [...hidden].some(stands) && ![...open].some((line) => shown.includes(line));
}

function maskMessage(message: Message, mask: (text: string) => string): Message {
  switch (message.role) {
    case "result": {
      const { outcome } = message.result;
      const masked =
        outcome.status === "success"
          ? { ...outcome, content: maskValue(outcome.content, mask) }
          : { ...outcome, message: mask(outcome.message) };
      return { ...message, result: { ...message.result, outcome: masked } };
    }
    case "attachment":
      return { ...message, text: mask(message.text), textOnly: true };
    case "user":
      return { ...message, text: mask(message.text) };
    case "assistant":
    case "rejection":
      return message;
  }
}
