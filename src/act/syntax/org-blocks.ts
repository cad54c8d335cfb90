/** A source block. `line` is that of its `#+begin_src`, from 1. */
export type SourceBlock = { readonly language: string; readonly body: string; readonly line: number };
export type OrgBlocks = { readonly blocks: readonly SourceBlock[]; readonly problem: string | null };

/** The source blocks of an Org text, and in words which block has no end; in it nothing else begins. */
export function readBlocks(text: string): OrgBlocks {
  const blocks: SourceBlock[] = [];
  let open: { readonly kind: string; readonly language: string; readonly line: number } | null = null;
  let body: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^[ \t]*#\+(begin|end)_(src|example|export|comment)(?:[ \t]+(\S+))?/i.exec(line);
    const kind = mark?.[2]?.toLowerCase() ?? "";
    if (open === null) {
      if (mark?.[1]?.toLowerCase() !== "begin") continue;
      open = { kind, language: mark[3]?.toLowerCase() ?? "", line: index + 1 };
      body = [];
    } else if (mark?.[1]?.toLowerCase() === "end" && kind === open.kind) {
      if (kind === "src") blocks.push({ language: open.language, body: body.join("\n"), line: open.line });
      open = null;
    } else body.push(line);
  }
  const problem = open === null ? null : `the block that begins at line ${open.line} has no end`;
  return { blocks, problem };
}
