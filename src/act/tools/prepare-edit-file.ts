import { joinLabels } from "../../signal/label.ts";
import type { Preparation } from "../../signal/tool.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../files/file-ports.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import type { ToolCall } from "./define-tool.ts";

/** The parsed arguments of the tool edit-file. */
export type EditFileArguments = { readonly path: string; readonly old: string; readonly new: string };

/** Prepares the replacement of a passage of a file. */
export async function prepareEditFile(
  args: EditFileArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const located = await resolveTypedPath(args.path, {
    workspace: caller.workspace,
    home: ports.folders.home,
  });
  if (!located.ok) return located;
  const path = located.value;
  const place = await labelOfPath(path, caller.workspace, ports);
  return await prepareChange(
    {
      path,
      session: caller.session,
      label: joinLabels(labelOf(args.path), labelOf(args.old), labelOf(args.new)),
      readsContents: true,
      contentLabel: async (digest) =>
        joinLabels(await labelOfContents(place, digest, ports), labelOf(args.new)),
      change: (current) => edited(current, { path, old: args.old, new: args.new }),
    },
    ports,
  );
}

type Passage = { readonly path: string; readonly old: string; readonly new: string };

function edited(current: Uint8Array | null, passage: Passage): Fallible<Uint8Array> {
  const { path, old } = passage;
  if (current === null)
    return problem("not-found", `${path}: there is no such file. Use write-file to make it.`);
  const bytes = Buffer.from(current);
  const first = bytes.indexOf(old);
  if (first === -1) return missing(bytes, passage);
  const again = bytes.indexOf(old, first + 1);
  if (again !== -1) {
    const times = countOf(bytes, old);
    return problem(
      "not-unique",
      `${path}: 'old' occurs ${times} times. Add text around it, so that it occurs once.`,
    );
  }
  const end = first + Buffer.byteLength(old);
  return done(Buffer.concat([bytes.subarray(0, first), Buffer.from(passage.new), bytes.subarray(end)]));
}

function missing(bytes: Buffer, { path, old }: Passage): Fallible<Uint8Array> {
  const hint =
    old.includes("\n") && bytes.includes("\r\n") && !old.includes("\r")
      ? " The file's lines end in CRLF: write \\r\\n in 'old' and 'new'."
      : " Read the file and copy the passage exactly, blanks included.";
  return problem("not-in-file", `${path}: 'old' occurs 0 times.${hint}`);
}

function countOf(bytes: Buffer, old: string): number {
  let times = 0;
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + 1)) times += 1;
  return times;
}
