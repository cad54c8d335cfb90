import type { Outline } from "../outline/outline.ts";
import { rescan } from "../outline/rescan.ts";
import { type ScanOptions, scanOutline } from "../outline/scan-outline.ts";
import type { Range } from "../text/range.ts";
import { guardSplice, type Splice } from "./splice.ts";

/** A place that moves with the text around it. What is inserted at the place itself goes before it only if `advances`. */
export type Marker = { readonly at: number };

/** A text that is being edited. Its changes are merged into one list of splices. */
export type Draft = {
  readonly text: string;
  readonly outline: Outline;
  /** Replaces a range. */
  readonly replace: (range: Range, insert: string) => void;
  readonly mark: (at: number, advances?: boolean) => Marker;
  readonly splices: () => readonly Splice[];
};

type Piece = { readonly kept: Range } | { readonly added: string };

/** Opens a text for editing. */
export function openDraft(original: string, options: ScanOptions = {}): Draft {
  let text = original;
  let outline: Outline | null = null;
  let pieces: readonly Piece[] = [{ kept: { begin: 0, end: original.length } }];
  const markers: { at: number; readonly advances: boolean }[] = [];
  return {
    get text() {
      return text;
    },
    get outline() {
      outline ??= scanOutline(text, options);
      return outline;
    },
    replace(range, insert) {
      if (text.slice(range.begin, range.end) === insert) return;
      outline =
        outline === null ? null : rescan(outline, { begin: range.begin, end: range.end, insert }, options);
      text = text.slice(0, range.begin) + insert + text.slice(range.end);
      pieces = replacePieces(pieces, range, insert);
      for (const marker of markers) marker.at = moved(marker, range, insert.length);
    },
    mark(at, advances = false) {
      const marker = { at, advances };
      markers.push(marker);
      return marker;
    },
    splices: () => splicesOf(original, pieces),
  };
}

function moved(
  { at, advances }: { readonly at: number; readonly advances: boolean },
  { begin, end }: Range,
  length: number,
): number {
  if (at < begin || (at === begin && !advances)) return at;
  return at >= end ? at + length - (end - begin) : begin + (advances ? length : 0);
}

function replacePieces(pieces: readonly Piece[], { begin, end }: Range, insert: string): readonly Piece[] {
  const result: Piece[] = [];
  let at = 0;
  let inserted = false;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    const from = at;
    at += length;
    if (begin > from) result.push(cut(piece, 0, Math.min(length, begin - from)));
    if (!inserted && at >= begin) {
      result.push({ added: insert });
      inserted = true;
    }
    if (at > end) result.push(cut(piece, Math.max(0, end - from), length));
  }
  if (!inserted) result.push({ added: insert });
  return result.filter((piece) => lengthOf(piece) > 0);
}

function lengthOf(piece: Piece): number {
  return "kept" in piece ? piece.kept.end - piece.kept.begin : piece.added.length;
}

function cut(piece: Piece, from: number, to: number): Piece {
  if ("added" in piece) return { added: piece.added.slice(from, to) };
  return { kept: { begin: piece.kept.begin + from, end: piece.kept.begin + to } };
}

function splicesOf(original: string, pieces: readonly Piece[]): readonly Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  let insert = "";
  for (const piece of [...pieces, { kept: { begin: original.length, end: original.length } }]) {
    if ("added" in piece) {
      insert += piece.added;
      continue;
    }
    const { begin, end } = piece.kept;
    if (begin > at || insert !== "") addSplice(splices, original, { begin: at, end: begin, insert });
    at = end;
    insert = "";
  }
  return splices;
}

function addSplice(splices: Splice[], original: string, change: Range & { insert: string }): void {
  if (original.slice(change.begin, change.end) === change.insert) return;
  const splice = guardSplice(original, change);
  const last = splices.at(-1);
  if (last === undefined || last.end <= splice.begin) {
    splices.push(splice);
    return;
  }
  // Both splices cover the same line, so they are merged: the first already ends with the text before this change.
  const shared = change.begin - last.end;
  const kept = shared >= 0 ? last.insert + original.slice(last.end, change.begin) : cutBack(last, -shared);
  const whole = {
    begin: last.begin,
    end: splice.end,
    insert: kept + change.insert + original.slice(change.end, splice.end),
  };
  splices[splices.length - 1] = guardSplice(original, whole);
}

function cutBack({ insert }: Splice, by: number): string {
  return insert.slice(0, insert.length - by);
}
