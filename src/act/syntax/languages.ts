import type { LispDialect } from "./lisp-syntax.ts";

/** The parser that reads a language. `markup` is script with JSX. */
type LanguageKind = "json" | LispDialect | "script" | "markup";

const kinds: ReadonlyMap<string, LanguageKind> = new Map(
  Object.entries({
    json: "json jsonc",
    "emacs-lisp": "el elisp emacs-lisp",
    lisp: "lisp lsp cl asd scm ss scheme common-lisp",
    clojure: "clj cljs cljc edn clojure clojurescript",
    script: "ts mts cts typescript",
    markup: "tsx jsx js mjs cjs javascript",
  } satisfies Record<LanguageKind, string>).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name, kind as LanguageKind] as const),
  ),
);

/** The parser for a language by its name in Org or by the ending of its files; null where none here reads it. */
export function kindOfLanguage(language: string): LanguageKind | null {
  return kinds.get(language) ?? null;
}

/** The ending of a file, in small letters. */
export function languageOfFile(path: string): string {
  return /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}
