/** Words that people and services use for the same thing or act, in English and German; the first of a line stands for all. */
const groups: readonly string[] = [
  "email e-mail mail mailbox inbox posteingang",
  "message nachricht dm",
  "event meeting appointment calendar schedule reminder termin kalender besprechung",
  "available availability free busy freebusy frei",
  "issue ticket bug",
  "pull pr",
  "repository repo",
  "folder directory ordner verzeichnis",
  "file datei document dokument",
  "picture image photo bild foto",
  "weather wetter forecast rain regen",
  "distance far entfernung",
  "direction route navigate",
  "task todo aufgabe",
  "note notiz",
  "page seite",
  "database db datenbank",
  "music song track musik lied",
  "search find such suche suchen finde finden",
  "move rename verschiebe verschieben umbenennen",
  "create erstelle erstellen anlegen",
  "delete remove lösche löschen entferne entfernen",
  "translate translation übersetze übersetzen",
];

/** The word that stands for each word of a group, by a form of both. */
export function sameWords(formOf: (word: string) => string): ReadonlyMap<string, string> {
  return new Map(
    groups.flatMap((group) => {
      const [first = "", ...others] = group.split(" ").map(formOf);
      return others.map((other) => [other, first] as const);
    }),
  );
}
