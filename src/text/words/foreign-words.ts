/**
 * Words of other languages than English and German. Such a sentence may have a verb that is spelled as in
 * English ("mail … niet"), so that the words which take it back must be known. Words that English or German
 * has too, as "no" and "mai", are left out.
 */
const refusals: ReadonlySet<string> = words(
  // Germanic
  "niet geen nooit niets niks zonder moenie inte icke ej aldrig ikke ikkje aldri ingen intet ingenting utan uden uten nej nei ekki aldrei enginn " +
    // Romance
    "ne pas jamais aucun aucune rien sans nunca jamás jamas ningún ningun ninguno nada sin tampoco não nao nenhum nenhuma sem non nessun nessuno nessuna niente senza nu niciodată niciodata nimic fără fara " +
    // Slavic and Baltic
    "nigdy bez żaden żadnego nikdy žádný žiadny nikada nikad nemoj nemojte nikoli brez не нет ні нельзя никогда ничего ніколи немає недей никога без niekada nav nekad " +
    // Finnish, Estonian, Hungarian, Turkish
    "ei älä älkää koskaan ilman ära ärge mitte kunagi nem soha sose semmi nélkül değil degil hayır hayir asla sakın hiç yok deyil yox " +
    // Greek, Albanian, Basque, Maltese, Irish
    "όχι μην μη δεν ποτέ χωρίς mos nuk kurrë ez inoiz mhux qatt níl ná " +
    // Hebrew, Arabic, Persian, Urdu
    "לא אל בלי אף לעולם لا لن لم ليس أبدا بدون نه نکن هرگز نیست نہیں مت " +
    // Of India
    "नहीं मत न बिना नको नाही না নয় வேண்டாம் இல்லை వద్దు లేదు nahi nahin karo karna bhejo " +
    // Of the Pacific and Africa
    "jangan tidak bukan tak tanpa huwag hindi wala đừng không chớ chưa hapana kamwe usitume",
);

/** The same in scripts that have no blanks between words. */
const unspaced = /[不别別勿没沒無]|ない|ません|않|마세요|말아|하지|อย่า|ไม่/u;

/** "If" and "when". */
const conditions: ReadonlySet<string> = words("si quand lorsque cuando quando wanneer hvis jeśli если якщо");

/** Whether a word of another language says not, never, no or without. */
export function refusesElsewhere(text: string): boolean {
  return refusals.has(text) || unspaced.test(text);
}

/** Whether a word of another language refuses or sets a condition. */
export function holdsElsewhere(text: string): boolean {
  return refusesElsewhere(text) || conditions.has(text);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
