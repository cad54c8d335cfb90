import { type Label, maxSources } from "../../signal/label.ts";

/** The form in which the ids of sources are compared: an address without its fragment, as it is sent. */
export function sourceKey(id: string): string {
  if (!/^https?:/i.test(id) || !URL.canParse(id)) return id;
  const url = new URL(id);
  url.hash = "";
  return url.href;
}

/** Whether a label names one of the sources, whose ids are given by their keys. */
export function namesSource({ sources }: Label, keys: ReadonlySet<string>): boolean {
  return sources.some(({ id }) => keys.has(sourceKey(id)));
}

/** Whether a label may lack a source: a conversation keeps its latest ones only. */
export function isCut({ sources }: Label): boolean {
  return sources.length >= maxSources;
}
