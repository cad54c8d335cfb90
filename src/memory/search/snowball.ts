import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import type { Language } from "./question-words.ts";

/** Snowball's stemmers. */
export const snowballStemmers: Readonly<Record<Exclude<Language, "english">, (word: string) => string>> = {
  german,
  dutch,
  french,
  spanish,
  italian,
  portuguese,
};
