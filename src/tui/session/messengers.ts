/** Targets that only carry words to a person: they are shown as the answer. */
export const messengers: ReadonlySet<string> = new Set(["cli", "tui", "emacs", "telegram", "signal"]);
