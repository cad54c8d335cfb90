/** Collects the bytes of a stream as text. */
export type Collector = {
  /** False once the text has reached its limit; the rest is dropped. */
  readonly add: (bytes: Uint8Array) => boolean;
  /** The collected text; bytes that are not UTF-8 become U+FFFD. */
  readonly text: () => string;
};

/** Makes a collector that keeps at most `limit` UTF-16 code units and never cuts a character in two. */
export function openCollector(limit: number): Collector {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let full = false;
  const keep = (more: string): boolean => {
    text += more;
    if (text.length <= limit) return true;
    text = text.slice(0, limit);
    if (!text.isWellFormed()) text = text.slice(0, -1);
    full = true;
    return false;
  };
  return {
    add: (bytes) => !full && keep(decoder.decode(bytes, { stream: true })),
    text: () => {
      if (!full) keep(decoder.decode());
      return text;
    },
  };
}
