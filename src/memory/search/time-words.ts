/** What a word says about a time. */
export type TimeWord =
  | "day"
  | "which"
  | "unit"
  | "weekday"
  | "month"
  | "season"
  | "count"
  | "ago"
  | "before"
  | "in";

/** What a word means, by language: English, German, Dutch. The value of `which` is the step from now, of `unit` its days. */
const meanings: readonly (readonly [TimeWord, number, string])[] = [
  ["day", -2, "vorgestern eergisteren"],
  ["day", -1, "yesterday gestern gisteren gisteravond"],
  ["day", 0, "today tonight heute vandaag vanavond"],
  ["day", 1, "tomorrow morgen"],
  ["day", 2, "ubermorgen overmorgen"],
  [
    "which",
    -1,
    "last past previous letzte letzten letzter letztes letztem vorige vorigen voriger vergangene vergangenen afgelopen",
  ],
  ["which", 0, "this diese diesen dieser dieses diesem deze dit"],
  ["which", 1, "next coming nachste nachsten nachster nachstes kommende kommenden volgende komende"],
  ["unit", 1, "day days tag tage tagen dag dagen"],
  ["unit", 2, "weekend weekends wochenende wochenenden"],
  ["unit", 14, "fortnight"],
  ["unit", 7, "week weeks woche wochen weken"],
  ["unit", 30, "month months monat monate monaten maand maanden"],
  ["unit", 365, "year years jahr jahre jahren jaar jaren"],
  ["unit", 0, "night nacht"],
  ["weekday", 0, "sunday sonntag zondag"],
  ["weekday", 1, "monday montag maandag"],
  ["weekday", 2, "tuesday dienstag dinsdag"],
  ["weekday", 3, "wednesday mittwoch woensdag"],
  ["weekday", 4, "thursday donnerstag donderdag"],
  ["weekday", 5, "friday freitag vrijdag"],
  ["weekday", 6, "saturday samstag sonnabend zaterdag"],
  ["month", 0, "january januar januari jan"],
  ["month", 1, "february februar februari feb"],
  ["month", 2, "march marz maart mar"],
  ["month", 3, "april apr"],
  ["month", 4, "may mai mei"],
  ["month", 5, "june juni jun"],
  ["month", 6, "july juli jul"],
  ["month", 7, "august augustus aug"],
  ["month", 8, "september sept sep"],
  ["month", 9, "october oktober oct okt"],
  ["month", 10, "november nov"],
  ["month", 11, "december dezember dec dez"],
  ["season", 2, "spring fruhling fruhjahr voorjaar lente"],
  ["season", 5, "summer sommer zomer"],
  ["season", 8, "autumn fall herbst herfst"],
  ["season", 11, "winter"],
  ["count", 1, "a an one einem einer eine een"],
  ["count", 2, "two couple zwei twee paar"],
  ["count", 3, "three few drei drie einigen enkele"],
  ["count", 4, "four vier"],
  ["count", 5, "five funf vijf"],
  ["count", 6, "six sechs zes"],
  ["ago", 0, "ago geleden"],
  ["before", 0, "vor"],
  ["in", 0, "in im on am op since seit sinds during until bis tot of by from"],
];

const tokens: ReadonlyMap<string, { readonly kind: TimeWord; readonly value: number }> = new Map(
  meanings.flatMap(([kind, value, words]) =>
    words.split(" ").map((word): [string, { kind: TimeWord; value: number }] => [word, { kind, value }]),
  ),
);

/** Names of times of several words, and in scripts without spaces, as a pattern and the words that mean the same. */
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/\bday before yesterday\b/iu, "vorgestern"],
  [/\bday after tomorrow\b/iu, "overmorgen"],
  [/\b(?:recently|lately|neulich|kürzlich|onlangs)\b|最近/iu, "last two weeks"],
  [/一昨日|前天/u, "vorgestern"],
  [/昨日|昨天|昨夜/u, "yesterday"],
  [/今日|今天|今晚/u, "today"],
  [/明日|明天/u, "tomorrow"],
  [/先週|上周|上週|上个星期|上星期/u, "last week"],
  [/今週|这周|本周|這週/u, "this week"],
  [/来週|下周|下週|下星期/u, "next week"],
  [/先月|上个月|上個月/u, "last month"],
  [/今月|这个月|這個月/u, "this month"],
  [/来月|下个月|下個月/u, "next month"],
  [/去年|昨年/u, "last year"],
  [/今年/u, "this year"],
];

const monthNames = meanings.filter(([kind]) => kind === "month").map(([, , words]) => words.split(" ")[0]);

/** Words of time that mean something else too. */
const others: ReadonlySet<string> = new Set([
  "may",
  "march",
  "mar",
  "mei",
  "sep",
  "jan",
  "fall",
  "spring",
  "morgen",
]);

/** What a word in lower case and without accents says about a time, in English, German or Dutch; null for other words. */
export function timeWord(word: string): { readonly kind: TimeWord; readonly value: number } | null {
  return tokens.get(word) ?? null;
}

/** True for a word of time that is also another word: as a month it counts only behind a preposition, or beside a number. */
export function isAlsoAnotherWord(word: string): boolean {
  return others.has(word);
}

const hanNumbers = "一二三四五六七八九十";

/** Replaces names of times that are no single words, and days such as `12.3.2026`, by English words and by `2026-03-12`. */
export function spellOutTimes(text: string): string {
  const spoken = spelledOut.reduce(
    (spelled, [pattern, words]) => spelled.replace(pattern, ` ${words} `),
    text,
  );
  return spoken
    .replaceAll(
      /(\d{1,2}|十[一二]?|[一二三四五六七八九])月/gu,
      (_, month: string) => ` in ${monthNames[numberOf(month) - 1] ?? ""} `,
    )
    .replaceAll(/\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b/gu, " $3-$2-$1 ");
}

function numberOf(month: string): number {
  if (/^\d/.test(month)) return Number(month);
  return [...month].reduce((sum, character) => sum + hanNumbers.indexOf(character) + 1, 0);
}
