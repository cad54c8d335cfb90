import type { TraceContext } from "./trace-context.ts";

/** The words and signs of each currency; a word that several have, such as "kroner", says none. */
const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eur: "eur euro euros €",
    usd: "usd dollar dollars us-dollar $",
    gbp: "gbp pound pounds sterling pfund £",
    chf: "chf franken",
    jpy: "jpy yen ¥",
  }).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
);

/** Whether a value names a currency, in whatever way, that the owner said. */
export function isSaidCurrency(value: string, { intent, sources }: TraceContext): boolean {
  const code = currencies.get(value.trim().toLowerCase());
  if (code === undefined) return false;
  const words = intent.words.flatMap(({ text, role }) => (role === "content" ? [] : [text]));
  const signs = sources.words.flatMap((text) => text.match(/\p{Sc}/gu) ?? []);
  return [...words, ...signs].some((said) => currencies.get(said) === code);
}
