const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const month = `(${months.join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
const ordinal = "(\\d{1,2})(?:st|nd|rd|th)?";
const dayMonth = new RegExp(`\\b${ordinal}(?: of)? ${month}\\b(?:,? (\\d{4}))?`, "giu");
const monthDay = new RegExp(`\\b${month} ${ordinal}\\b(?:,? (\\d{4}))?`, "giu");
const monthYear = new RegExp(`\\b${month},? (\\d{4})\\b`, "giu");
const isoDay = /\b(\d{4})-(\d{2})-(\d{2})\b/gu;

/** The local day of a time in the words and numbers that people search for: `2023-05-08 Monday 8 May 2023`. */
export function dayWords(at: number): string {
  const day = new Date(at);
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()];
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${year}-${two(month + 1)}-${two(date)} ${weekdays[day.getDay()] ?? ""} ${date} ${months[month] ?? ""} ${year}`;
}

/** The days and months in a question, as phrases in both notations: `8 may 2023` and `2023 05 08`. */
export function dayPhrases(question: string): readonly string[] {
  if (!/\d/.test(question)) return [];
  const found = [
    ...[...question.matchAll(isoDay)].flatMap(([, year = "", number = "", day = ""]) =>
      both(year, months[Number(number) - 1] ?? "", Number(day)),
    ),
    ...[...question.matchAll(dayMonth)].flatMap(([, day, name, year = ""]) =>
      both(year, fullName(name), Number(day)),
    ),
    ...[...question.matchAll(monthDay)].flatMap(([, name, day, year = ""]) =>
      both(year, fullName(name), Number(day)),
    ),
    ...[...question.matchAll(monthYear)].flatMap(([, name, year = ""]) => both(year, fullName(name), null)),
  ];
  return [...new Set(found)];
}

function fullName(name = ""): string {
  return months.find((whole) => whole.startsWith(name.slice(0, 3).toLowerCase())) ?? "";
}

function both(year: string, name: string, day: number | null): readonly string[] {
  const number = String(months.indexOf(name) + 1).padStart(2, "0");
  if (name === "" || (day !== null && (day < 1 || day > 31))) return [];
  if (day === null) return [`${name} ${year}`, `${year} ${number}`];
  const two = String(day).padStart(2, "0");
  if (year === "") return [`${day} ${name}`, `${name} ${day}`, `${number} ${two}`];
  return [`${day} ${name} ${year}`, `${name} ${day} ${year}`, `${year} ${number} ${two}`];
}
