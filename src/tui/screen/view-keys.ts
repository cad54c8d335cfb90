import { isKey, printableOf } from "./toolkit.ts";

/** What a key does to what is shown; none of these answers a question or writes at the prompt. */
export type ViewAction =
  | { readonly kind: "scroll"; readonly rows: number }
  | { readonly kind: "to-start" | "to-end" | "gates" | "output" | "repaint" | "keys" | "suspend" | "mouse" };

/** The action of a key; null for every other key. `page`: rows of a page. */
export function viewActionOf(
  data: string,
  {
    page,
    isDialog,
    isScrolledUp,
    isEmpty,
  }: {
    readonly page: number;
    readonly isDialog: boolean;
    readonly isScrolledUp: boolean;
    readonly isEmpty: boolean;
  },
): ViewAction | null {
  if (isKey(data, "shift+up") || isKey(data, "ctrl+up")) return { kind: "scroll", rows: -1 };
  if (isKey(data, "shift+down") || isKey(data, "ctrl+down")) return { kind: "scroll", rows: 1 };
  if (isKey(data, "shift+pageUp") || (!isDialog && isKey(data, "pageUp")))
    return { kind: "scroll", rows: -page };
  if (isKey(data, "shift+pageDown") || (!isDialog && isKey(data, "pageDown")))
    return { kind: "scroll", rows: page };
  if (isKey(data, "ctrl+home")) return { kind: "to-start" };
  if (isKey(data, "ctrl+end") || (isKey(data, "end") && isScrolledUp && isEmpty)) return { kind: "to-end" };
  if (isKey(data, "ctrl+g")) return { kind: "gates" };
  if (isKey(data, "ctrl+o")) return { kind: "output" };
  if (isKey(data, "ctrl+l")) return { kind: "repaint" };
  if (isKey(data, "f3")) return { kind: "mouse" };
  if (isKey(data, "f1") || (isEmpty && !isDialog && printableOf(data) === "?")) return { kind: "keys" };
  return isKey(data, "ctrl+z") ? { kind: "suspend" } : null;
}
