import {
  agendaFor,
  formatDay,
  type LocatedTimestamp,
  localDay,
  localMinutes,
  parseDay,
  parseRelativeDay,
  printAgenda,
} from "#org";
import { joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { success } from "../../../signal/tool.ts";
import type { ToolCall } from "../define-tool.ts";

/** A timestamp of the notes with the label of its node. */
export type LabelledStamp = LocatedTimestamp & { readonly node: string; readonly label: Label };

/** The port that returns the timestamps that may show between two days, `YYYY-MM-DD`, both included. */
export type AgendaPorts = {
  readonly stampsFor: (from: string, to: string) => Promise<readonly LabelledStamp[]>;
  readonly clock: () => number;
  /** What of the agent itself waits for its owner, as lines; empty where nothing does. */
  readonly waiting?: (() => Promise<string>) | undefined;
  /** Says in words why the result may be incomplete; null if it is complete. */
  readonly incomplete?: (() => Promise<string | null>) | undefined;
};

const maxLines = 200;

/** The parsed arguments of the tool agenda. */
export type AgendaArguments = { readonly from?: string | undefined; readonly days?: number | undefined };

/** Prepares the page of what is due. */
export async function prepareAgenda(
  { from: words = "today", days = 7 }: AgendaArguments,
  { ports: { stampsFor, clock, waiting, incomplete }, labelOf }: ToolCall<AgendaPorts>,
): Promise<Preparation> {
  const now = new Date(clock());
  const today = localDay(now);
  const from = parseRelativeDay(words, today);
  if (from === null) {
    return {
      ok: false,
      code: "invalid-arguments",
      message: `agenda: '${words}' is not a day. Write YYYY-MM-DD or +3d.`,
    };
  }
  const stamps = await stampsFor(from, formatDay((parseDay(from) ?? 0) + days - 1));
  const shown = agendaFor(stamps, { from, days, today }).slice(0, maxLines);
  const nodes = new Map(stamps.map((stamp) => [stamp.timestamp, stamp]));
  const found = shown.flatMap(({ located }) => nodes.get(located.timestamp) ?? []);
  return {
    ok: true,
    effects: [
      {
        kind: "change-memory",
        target: "memory",
        realm: "own",
        operation: "agenda",
        label: labelOf(words),
        reversal: "undoable",
      },
    ],
    plan: { from, days },
    changes: [],
    resultLabel: joinAll(found.map(({ label }) => label)),
    resultFields: fieldsOf(found),
    run: async () => {
      const own = from <= today && waiting !== undefined ? await waiting() : "";
      const page = printAgenda(shown, { from, days, today }, { minutes: localMinutes(now) });
      const text = own === "" ? page : `${own}\n\n${page}`;
      const cut = shown.length === maxLines ? `Only the first ${maxLines} lines are shown.` : null;
      const note = [cut, (await incomplete?.()) ?? null].filter((part) => part !== null).join(" ");
      const ids = Object.fromEntries(found.map(({ node, timestamp }) => [node, timestamp.headline.text]));
      return success({ text, ids, ...(note === "" ? {} : { note }) });
    },
  };
}

/** Each title has the label of its own note; the page as a whole, that of all. */
function fieldsOf(
  found: readonly LabelledStamp[],
): readonly { readonly path: string; readonly label: Label }[] {
  const labels = new Map<string, Label>();
  for (const { node, label } of found) labels.set(node, joinLabels(labels.get(node) ?? label, label));
  return [...labels].map(([node, label]) => ({
    path: `/ids/${node.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    label,
  }));
}
