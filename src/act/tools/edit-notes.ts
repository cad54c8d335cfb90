import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type Operation, operationSchema } from "../../memory/org/edits/operation.ts";
import type { Clock } from "../../signal/clock.ts";
import { strings } from "../../signal/json.ts";
import { bottom, join, type Label } from "../../signal/label.ts";
import type { Asker, LabelOf, Tool } from "../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import { type Attempt, done, problem } from "../files/attempt.ts";
import { type FilePorts, labelOfContents, labelOfPlace } from "../files/file-ports.ts";
import { lastSeen } from "../files/last-seen.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { realPathOf } from "../files/real-path.ts";
import { changeNotes, type NotesChange } from "./change-notes.ts";
import { touchesOrigin, withOrigin } from "./with-origin.ts";

/** What editing notes needs: the files, the time, and where a node lies (its real path, null for an unknown id). */
export type EditNotesPorts = FilePorts & {
  readonly clock: Clock;
  readonly fileOfNode: (id: string) => Promise<string | null>;
};

type KeyOf<T> = T extends unknown ? keyof T : never;

const word = z.string().optional();
const keys = {
  at: word.describe("title, ID or CUSTOM_ID of the heading"),
  state: word,
  value: word.describe("a date such as <2024-02-01 Thu +1w>, :tags:, a priority, …"),
  key: word,
  to: word,
  where: word.describe("under, after or before"),
  title: word,
  text: word,
  date: word,
  under: word,
  note: word,
  line: z.int().min(1).optional().describe("of a checkbox"),
} satisfies Record<Exclude<KeyOf<Operation>, "op">, z.ZodType>;

const names: Record<Operation["op"], true> = {
  ...{
    todo: true,
    schedule: true,
    deadline: true,
    tags: true,
    priority: true,
    put: true,
    "delete-property": true,
  },
  ...{
    id: true,
    "clock-in": true,
    "clock-out": true,
    "archive-tag": true,
    "archive-sibling": true,
    archive: true,
  },
  ...{
    refile: true,
    checkbox: true,
    insert: true,
    paste: true,
    move: true,
    promote: true,
    demote: true,
    title: true,
  },
  ...{ append: true, body: true, capture: true },
};

/** One operation as the model is told of it, in few words: which keys go with which is said when one does not fit. */
const loose = z.strictObject({ op: z.enum(Object.keys(names)), ...keys });

const schema = z.strictObject({
  file: z.string().min(1).describe("in the notes folder, or the ID of a node"),
  operations: z.array(loose).min(1).max(100),
});

/** Edits an Org file as Emacs's own commands would, and touches no other byte of it. What does not fit is refused, and the rest is done. */
export function makeEditNotesTool(ports: EditNotesPorts): Tool {
  return defineTool({
    name: "edit-notes",
    description: "Edit an Org file: TODO states, dates, tags, properties, clocks, new headings, …",
    schema,
    async prepare({ file, operations: given }, asker, labelOf) {
      const read = readOperations(given, file);
      if (!read.ok) return read;
      const located = await locate(file, ports);
      if (!located.ok) return located;
      const path = located.value;
      const operations = z.json().parse(JSON.parse(JSON.stringify(given)));
      const label = join(labelOf(file), ...[...strings(operations)].map(({ text }) => labelOf(text)));
      const put = written(read.value, labelOf);
      const place = labelOfPlace(path, asker.workspace, ports);
      const change: NotesChange = {
        ...{ path, at: ports.clock(), newId: randomUUID, seen: seenBytes(asker, path) },
        operations: read.value.map((operation) => withOrigin(operation, written([operation], labelOf))),
      };
      const told: { note: string } = { note: "" };
      return await prepareChange(
        {
          ...{ path, label, brought: put, readsContents: true },
          contentLabel: async (digest) => join(await labelOfContents(place, digest, ports), put),
          change(current) {
            const changed = changeNotes(current, change);
            if (!changed.ok) return changed;
            told.note = changed.value.note;
            return done(changed.value.bytes);
          },
          tells: () => ({ note: told.note }),
          also: { effects: [], plan: { operations }, after: async () => undefined },
        },
        ports,
      );
    },
  });
}

function seenBytes(asker: Asker, path: string): Uint8Array | null {
  const text = lastSeen(asker, path)?.text ?? null;
  return text === null ? null : new TextEncoder().encode(text);
}

async function locate(file: string, ports: EditNotesPorts): Promise<Attempt<string>> {
  const { home, notes } = ports.folders;
  const isPath = file.includes("/") || /\.org(_archive)?$/.test(file);
  const named = isPath ? file : await ports.fileOfNode(file);
  if (named === null)
    return problem(
      "not-found",
      `There is no node with the ID '${file}' in the notes. Name a file, or search for the node.`,
    );
  const located = await realPathOf(named, { workspace: notes, home });
  if (!located.ok || /\.org(_archive)?$/.test(located.value)) return located;
  return problem(
    "not-org",
    `${located.value}: only files that end in .org or .org_archive are edited so. Use edit-file.`,
  );
}

function readOperations(
  given: readonly z.infer<typeof loose>[],
  file: string,
): Attempt<readonly Operation[]> {
  const isNode = !file.includes("/") && !file.endsWith(".org");
  const read: Operation[] = [];
  for (const [index, one] of given.entries()) {
    const operation = isNode && one.at === undefined ? { ...one, at: file } : one;
    const parsed = operationSchema.safeParse(operation);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
      return problem(
        "invalid-arguments",
        `edit-notes: operation ${index + 1} (${one.op}): ${wrong.join("; ").slice(0, 400)}.`,
      );
    }
    if (touchesOrigin(parsed.data))
      return problem(
        "invalid-arguments",
        "edit-notes: ORIGIN says where a text came from, and only the owner changes it.",
      );
    read.push(parsed.data);
  }
  return done(read);
}

/** Keys whose values come into the file as they are; what goes under the others is chosen from what Org allows. */
const free: readonly string[] = ["text", "title", "note", "key"];

/** The label of the words that operations bring into a file. */
function written(operations: readonly Operation[], labelOf: LabelOf): Label {
  return join(bottom, ...operations.flatMap((operation) => freeWords(operation).map(labelOf)));
}

function freeWords(operation: Operation): readonly string[] {
  return Object.entries(operation).flatMap(([key, value]) => {
    const dated = key === "value" && (operation.op === "schedule" || operation.op === "deadline");
    const counts = free.includes(key) || (key === "value" && !dated);
    return counts && typeof value === "string" ? [value] : [];
  });
}
