const opening = /^```(?:[\w+-]*[ \t]*\r?\n)?/;

/** A model's answer without the blank space and the one code fence around the whole. */
export function bareAnswer(text: string): string {
  const trimmed = text.trim();
  const fence = opening.exec(trimmed)?.[0];
  if (fence === undefined || !trimmed.endsWith("```") || trimmed.length < fence.length + 3) return trimmed;
  const inside = trimmed.slice(fence.length, -3).trim();
  return inside.includes("\n```") ? trimmed : inside;
}

/** True while a text that is still arriving could turn out to be a proposal: until then none of it is shown. */
export function mayBeProposal(textSoFar: string): boolean {
  const trimmed = textSoFar.trimStart();
  if (trimmed === "" || /^[({]/.test(trimmed) || /^`{1,2}$/.test(trimmed)) return true;
  const fence = opening.exec(trimmed)?.[0];
  if (fence === undefined) return false;
  const inside = trimmed.slice(fence.length).trimStart();
  const couldBeLanguage = fence === "```" && /^[\w+-]*[ \t]*\r?$/.test(inside);
  return inside === "" || couldBeLanguage || /^[({]/.test(inside);
}
