import { joinLabels } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents } from "../../files/file-ports.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { labelOfTyped } from "../../files/private-names.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import { outlineOf } from "../../syntax/outline.ts";
import type { ToolCall } from "../define-tool.ts";
import { noParser, notDeclared } from "./prepare-read-code.ts";

/** The parsed arguments of the tool edit-code. */
export type EditCodeArguments = { readonly path: string; readonly name: string; readonly new: string };

/** Prepares the replacement of a declaration, as a change of the file like any other. */
export async function prepareEditCode(
  { path: typed, name, new: by }: EditCodeArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const { workspace } = caller;
  const located = await resolveTypedPath(typed, { workspace, home: ports.folders.home });
  if (!located.ok) return located;
  const path = located.value;
  const place = await labelOfTyped(typed, path, workspace, ports);
  const written = labelOf(by);
  return await prepareChange(
    {
      path,
      written: writtenPath(typed, { workspace, home: ports.folders.home }),
      shownAs: shownPath(path, workspace),
      session: caller.session,
      label: joinLabels(labelOf(typed), labelOf(name), written),
      readsContents: true,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), written),
      change: (current) => replaceDeclaration(current, path, { name, by }),
    },
    ports,
  );
}

async function replaceDeclaration(
  current: Uint8Array | null,
  path: string,
  { name, by }: { readonly name: string; readonly by: string },
): Promise<Fallible<Uint8Array>> {
  if (current === null)
    return problem("not-found", `${path}: there is no such file. Use write-file to make it.`);
  const bytes = Buffer.from(current);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes))
    return problem("not-utf-8", `${path}: the file is not UTF-8. Use edit-file.`);
  const outline = await outlineOf(path, text);
  if (outline === null) return noParser(path);
  if (!outline.ok)
    return problem("no-syntax", `${path}: ${outline.problem}. Mend that first, with edit-file.`);
  const found = outline.declarations.find((one) => one.name === name);
  if (found === undefined) return notDeclared(path, name, outline.declarations);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const put = by.replace(/(?:\r?\n)+$/, "").replaceAll(/\r?\n/g, eol);
  const before = text.slice(0, found.begin);
  const after = text.slice(found.end);
  const isWholeLine = /(?:^\uFEFF?|\n)$/.test(before) && /^[ \t]*(?:\r?\n|$)/.test(after);
  const rest = put === "" && isWholeLine ? after.replace(/^[ \t]*(?:\r?\n)?/, "") : after;
  return done(Buffer.from(before + put + rest));
}
