/** What became of a text that was to be copied: it is where it was read back from; nobody but the terminal can take it; or it is in a file. */
export type Copied =
  | { readonly kind: "verified"; readonly place: string }
  | { readonly kind: "terminal" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Copies a text, and says only what is known of it. */
export type CopyText = (text: string) => Promise<Copied>;

/** Copies a text and tells what became of it. */
export async function copyAndTell(
  text: string,
  parts: {
    readonly copyText: CopyText;
    readonly screen: { readonly sendToClipboard: (text: string) => void };
    readonly say: (hint: string) => void;
  },
): Promise<void> {
  const copied = await parts.copyText(text);
  if (copied.kind === "terminal") parts.screen.sendToClipboard(text);
  parts.say(copiedWords(copied));
}

function copiedWords(copied: Copied): string {
  switch (copied.kind) {
    case "verified":
      return `copied to ${copied.place}`;
    case "terminal":
      return "sent to the terminal (OSC 52)";
    case "file":
      return `written to ${copied.path}`;
    case "failed":
      return `not copied: ${copied.reason}`;
  }
}
