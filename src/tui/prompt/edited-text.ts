/** A text as its owner left it in their editor, or why it is as it was. */
export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };
