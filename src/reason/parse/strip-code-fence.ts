const opening = /^```(?:[\w+-]*[ \t]*\r?\n)?/;

/** A model's answer without the blanks and the code fence around the whole text. */
export function stripCodeFence(text: string): string {
  const trimmed = text.trim();
  const fence = opening.exec(trimmed)?.[0];
  if (fence === undefined || !trimmed.endsWith("```") || trimmed.length < fence.length + 3) return trimmed;
  const inside = trimmed.slice(fence.length, -3).trim();
  return inside.includes("\n```") ? trimmed : inside;
}
