import { makeOverlaps, type Span } from "./spans.ts";

/** How a value is compared: by a canonical form of its kind, never as a part of a text. */
export type IdentifierForm = "address" | "url" | "path" | "account" | "date" | "time" | "number";

/** A value with a form of its own in a text. `value` is canonical: two spellings of the same value are equal. */
export type Identifier = Span & { readonly form: IdentifierForm; readonly value: string };

type Pattern = {
  readonly form: IdentifierForm;
  readonly find: (text: string) => Iterable<RegExpExecArray>;
  /** Null where the match is not such a value after all. */
  readonly canonical: (match: RegExpExecArray) => string | null;
};

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const germanMonths: Readonly<Record<string, string>> = { mär: "mar", mai: "may", okt: "oct", dez: "dec" };
const month =
  "(jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|jun[ei]?|jul[yi]?|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\\.?";
/** Suffixes of files, which are no domains. */
const fileSuffix =
  /\.(?:txt|md|org|pdf|docx?|xlsx?|pptx?|csv|json|ya?ml|xml|html?|png|jpe?g|gif|svg|zip|gz|tar|exe|sh|py|js|ts|rb|go|rs|c|h|java|log|ini|cfg|conf|pub|key|pem|mp[34]|wav)$/i;

/** What ends a URL in a sentence: punctuation, also where the blank before the next sentence is missing. */
const urlTail = /(?:[.,;:!?]+|(?<=[a-z])\.[A-Z][a-z].*)$/;

const monthFirst = new RegExp(
  `(?<![\\p{L}\\p{N}])${month} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?![\\p{L}\\p{N}:])`,
  "giu",
);
const dayFirst = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of )?${month}(?:,? (\\d{4}))?(?![\\p{L}\\p{N}])`,
  "giu",
);

/** In the order in which they are tried: of two that overlap the first wins. */
const patterns: readonly Pattern[] = [
  {
    form: "address",
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}._%+/-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,80}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}/gu,
      ),
    canonical: ([text]) => text.toLowerCase(),
  },
  {
    form: "url",
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}@.-])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|https?:[\\/]*|www\.)[^\s<>"'`)\]}]{1,2000}/giu,
      ),
    canonical: ([text]) => canonicalUrl(text),
  },
  {
    form: "url",
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}@.:/-])(?:\/\/)?(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}.])(?::\d{1,5})?(?:\/[^\s<>"'`)\]}]{0,2000})?/giu,
      ),
    canonical: ([text]) => canonicalUrl(text),
  },
  {
    form: "url",
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}@./_-])(?:\/\/)?(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})(?:\/[^\s<>"'`)\]}]{0,2000})?(?![\p{L}\p{N}@-])/giu,
      ),
    canonical: ([text]) => (fileSuffix.test(text.replace(/[.,;:!?]+$/, "")) ? null : canonicalUrl(text)),
  },
  {
    form: "path",
    find: (text) =>
      text.matchAll(/(?<![\p{L}\p{N}_:/.<-])(?:~|\.{1,2})?\/[\p{L}\p{N}._@+-][\p{L}\p{N}._@+/-]{0,500}/gu),
    canonical: ([text]) => text.replace(/[.,/]+$/, ""),
  },
  {
    form: "account",
    // Written as one word, which ends before a blank, or in groups of four.
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[A-Z0-9]{4,32}| [A-Z0-9]{5,32}|(?: [A-Z0-9]{4}){1,7} [A-Z0-9]{1,32})(?![\p{L}\p{N}])/gu,
      ),
    canonical: ([text]) => (/\d{4}/.test(text) ? text.replaceAll(" ", "") : null),
  },
  {
    form: "date",
    find: (text) => text.matchAll(/(?<![\p{L}\p{N}])(\d{4})-(\d{2})-(\d{2})(?![\d-])/gu),
    canonical: ([, year, month, day]) => `${year}-${month}-${day}`,
  },
  {
    form: "date",
    find: (text) => text.matchAll(/(?<![\p{L}\p{N}.])(\d{1,2})\.(\d{1,2})\.(\d{4})?(?!\d)/gu),
    canonical: ([, day = "", at = "", year]) => dateOf(year, Number(at), day),
  },
  {
    form: "date",
    find: (text) => text.matchAll(monthFirst),
    canonical: ([, name = "", day = "", year]) => dateOf(year, monthOf(name), day),
  },
  {
    form: "date",
    find: (text) => text.matchAll(dayFirst),
    canonical: ([, day = "", name = "", year]) => dateOf(year, monthOf(name), day),
  },
  {
    form: "time",
    find: (text) => text.matchAll(/(?<![\p{L}\p{N}:])([01]?\d|2[0-3]):([0-5]\d)(?::\d{2})?(?![\d:])/gu),
    canonical: ([, hour = "", minute]) => `${hour.padStart(2, "0")}:${minute}`,
  },
  {
    form: "time",
    find: (text) => text.matchAll(/(?<![\p{L}\p{N}:])(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])\.?m\b\.?/giu),
    canonical: ([, hour = "", minute = "00", half = ""]) =>
      `${String((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0")}:${minute}`,
  },
  {
    form: "number",
    find: (text) =>
      text.matchAll(
        /(?<![\p{L}\p{N}.,_@/-])\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,10})?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}.,_@/-])\d{1,20}(?:\.\d{1,10})?(?![\p{L}\p{N}_])/gu,
      ),
    canonical: ([text]) => canonicalNumber(text),
  },
];

/** Finds the values of a text that have a form of their own, in order. */
export function findIdentifiers(text: string): readonly Identifier[] {
  let found: readonly Identifier[] = [];
  for (const { form, find, canonical } of patterns) {
    const isTaken = makeOverlaps(found);
    const own: Identifier[] = [];
    for (const match of find(text)) {
      const value = canonical(match);
      const span = { start: match.index, end: match.index + trimmedLength(match[0], form) };
      if (value !== null && isTaken(span).length === 0) own.push({ form, value, ...span });
    }
    if (own.length > 0) found = [...found, ...own].toSorted((a, b) => a.start - b.start);
  }
  return found;
}

/** The form of a value that is an identifier as a whole; null for any other text. */
export function identifierOf(text: string): Identifier | null {
  const trimmed = text.trim();
  const [only] = findIdentifiers(trimmed);
  return only !== undefined && only.start === 0 && only.end === trimmed.length ? only : null;
}

/** The canonical form of an address, an account or a phone number; null for any other text. */
export function contactValue(text: string): string | null {
  const trimmed = text.trim();
  const identifier = identifierOf(trimmed);
  if (identifier?.form === "address" || identifier?.form === "account") return identifier.value;
  return /^\+?\d[\d ()/.-]{4,24}$/.test(trimmed) && identifier?.form !== "date"
    ? trimmed.replaceAll(/[^+\d]/g, "")
    : null;
}

/**
 * A URL without the scheme of a page and without a closing slash, and with its host in lower case. Any
 * other scheme and what stands behind "#" belong to it: some programs obey them. A user name would hide the
 * host, so it is kept visible.
 */
function canonicalUrl(text: string): string {
  const bare = text.trim().replace(urlTail, "");
  const rest = bare.replace(/^(?:https?:[\\/]*|\/\/)/i, "");
  const at = rest.replace(/^[a-z][a-z0-9+.-]*:\/\//i, (scheme) => " ".repeat(scheme.length)).search(/[/?#]/);
  const host = at === -1 ? rest : rest.slice(0, at);
  return `${host.toLowerCase()}${at === -1 ? "" : rest.slice(at)}`.replace(/(?:\/+#?|#)$/, "");
}

/**
 * A number without the commas of thousands and the closing zeros of its fraction. All its digits count: an
 * id is longer than a number of the language is exact, and "013" is another one than "13". Three digits
 * behind a point may be thousands.
 */
function canonicalNumber(text: string): string {
  const [whole = "", fraction = ""] = text.replaceAll(",", "").split(".");
  const rest = fraction.length === 3 ? fraction : fraction.replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

/** The name of a file without its suffix; null for any other text. */
export function fileNameWithoutSuffix(name: string): string | null {
  const bare = name.replace(fileSuffix, "");
  return bare === name || bare === "" ? null : bare;
}

/** The names in a text that are one of a file or of a host: "notes.org". */
export function hostsLikeFiles(text: string): readonly string[] {
  return text.toLowerCase().match(hostLikeFile) ?? [];
}

/**
 * Suffixes of files that are domains too. Of what people write every day, "README.md" or "setup.py", most
 * is a file: those count as none.
 */
const hostLikeFile =
  /(?<![\p{L}\p{N}@./\\_-])(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}(?:org|zip|pub)(?![\p{L}\p{N}@_/-]|\.[\p{L}\p{N}])/gu;

/** The host of a canonical URL. */
export function hostOfUrl(url: string): string {
  return url.replace(/[/?#].*$/, "");
}

function trimmedLength(text: string, form: IdentifierForm): number {
  if (form === "url") return text.replace(urlTail, "").length;
  return form === "path" ? text.replace(/[.,]+$/, "").length : text.length;
}

function monthOf(name: string): number {
  const short = name.toLowerCase().slice(0, 3);
  return months.indexOf(germanMonths[short] ?? short) + 1;
}

function dateOf(year: string | undefined, at: number, day: string): string | null {
  if (at < 1 || at > 12 || Number(day) < 1 || Number(day) > 31) return null;
  return `${year ?? "*"}-${String(at).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
