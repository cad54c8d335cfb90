/** A part of a text: from `start` up to, and without, `end`. */
export type Span = { readonly start: number; readonly end: number };

/**
 * Finds which of some spans a part of a text overlaps. The spans are in order and do not overlap each other;
 * the parts are asked for in order, so that each span is looked at a few times, however many parts there are.
 */
export function makeOverlaps<S extends Span>(spans: readonly S[]): (part: Span) => readonly S[] {
  let first = 0;
  return (part) => {
    for (let span = spans[first]; span !== undefined && span.end <= part.start; span = spans[first]) first++;
    const found: S[] = [];
    for (let at = first; at < spans.length; at++) {
      const span = spans[at];
      if (span === undefined || span.start >= part.end) break;
      found.push(span);
    }
    return found;
  };
}

/**
 * Says whether a part of a text lies inside of one of some spans, which may overlap. The parts are asked for
 * in order.
 */
export function makeIsInside(spans: readonly Span[]): (part: Span) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let next = 0;
  let end = -1;
  return (part) => {
    for (let span = sorted[next]; span !== undefined && span.start <= part.start; span = sorted[next]) {
      end = Math.max(end, span.end);
      next++;
    }
    return part.end <= end;
  };
}
