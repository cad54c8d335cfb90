/**
 * The words that an order may have besides its verb and its values. Each list is closed: a word that stands
 * in none is not understood, and then the owner is asked. None of them may set a condition, a time or a
 * bound, or name another thing.
 */

/** Words before the verb. */
export const leads: ReadonlySet<string> = words(
  "please pls kindly can could would will you i i'd we want need like to just now then also and so go ahead let's next finally hi hello hey ok okay yes " +
    "bitte kannst könntest würdest du sie ich möchte will jetzt dann und auch mir uns hallo ja",
);
/** Signs that change nothing. */
export const friendlySigns: ReadonlySet<string> = words("👍 🙏 👋 🙂 😊 😀");
/** Signs that refuse what they stand beside, that doubt it or strike it out. */
export const refusingSigns: ReadonlySet<string> = words(
  "🚫 ❌ ❎ 👎 ⛔ 🛑 ✋ 🙅 🤚 ✖ ✗ ✘ ✕ × ☒ ¬ ≠ ∅ 📵 🚷 ⏸ ⏹ ⏳ ⌛ ❓ ❔ 🤔 💭 + // /* []",
);

/** With a negation before them they ask all the more: "do not forget to". */
export const reminders: ReadonlySet<string> = words("forget vergiss");
export const remindings: ReadonlySet<string> = words("do don't not nicht forget vergiss");

/** Words before a verb of an act whose other words are free. */
export const freeLeads: ReadonlySet<string> = words(
  "if so note that first have must should your task job is 1 2 3 4 5 6 7 8 9",
);

/** Words that begin a list of requests: "Please do this:". */
export const headingWords: ReadonlySet<string> = words(
  "please do perform handle complete can could you this these the following task tasks things list in order they are given for me my your two three four five six todo todos to-do to-dos job jobs bitte mach erledige folgendes diese aufgabe aufgaben zwei drei vier sache sachen dinge für dich mich meine liste",
);
/** Words of a heading that may be of what the owner keeps: "my list:". */
export const ownersHeadings: ReadonlySet<string> = words(
  "my me list todo todos to-do to-dos mich meine liste",
);
/** With these a heading is for the agent all the same: "todo for you:". */
export const askingHeadings: ReadonlySet<string> = words(
  "please do perform handle complete can could you your bitte mach erledige dich",
);

/** A sentence of these words says nothing. */
export const courtesies: ReadonlySet<string> = words(
  "please thanks thank you very much many cheers hi hello hey dear ok okay yes all good morning evening best regards bye bitte danke dank vielen schön hallo ja guten tag morgen grüße gruß",
);

/** Words that change nothing in what a request asks for. */
export const fillers: ReadonlySet<string> = words(
  "a an the my our and & also too again as well please now today immediately both for me us thanks thank you " +
    "der die das den dem ein eine einen einem mein meine meinen meinem unser unsere und auch noch bitte jetzt heute sofort danke",
);

/** Words before a noun. */
export const determiners: ReadonlySet<string> = words(
  "a an the my our your his her its their this that these those some der die das den dem ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren unserem unserer dies diese diesen dieses",
);
/** Verbs behind which stands what a message says. */
export const sayingWords: ReadonlySet<string> = words(
  "say says saying tell telling ask asking how sagen sag frag fragen",
);

/** What an order says besides, by what it asks for. */
export const deletingWords: ReadonlySet<string> = words(
  "this it them completely permanently diese dieses es",
);
export const payingWords: ReadonlySet<string> = words(
  "back to of with from each account iban bank an auf zu für von über mit konto",
);
export const bookingWords: ReadonlySet<string> = words(
  "at in to from until till on for with person persons people guest guests bei im am von bis für mit personen gäste",
);
export const credentialWords: ReadonlySet<string> = words(
  "this it new to as into in on with neu neue neues neuen auf zu in mit",
);
export const givingWords: ReadonlySet<string> = words(
  "this it them to into as with for both an zu zum zur als mit es ihn sie",
);

/** What is bought or paid for: "for 12 tickets". */
export const purposes: ReadonlySet<string> = words(
  "ticket tickets dinner lunch breakfast book books trip room hotel gas electricity water internet phone insurance membership gift present groceries " +
    "essen karten strom wasser versicherung geschenk reise",
);
/** Nouns that say when, and not for what. */
export const timeNouns: ReadonlySet<string> = words(
  "case event time moment day week weekend month quarter year morning evening night future next last first second fall zeit tag woche monat jahr nächsten nächste",
);
export const monthNames: ReadonlySet<string> = words(
  "january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember",
);

/**
 * Currencies whose amounts are written as any amount is: a service that counts in another unit would take
 * another amount.
 */
export const commonCurrencies: ReadonlySet<string> = words(
  "euro euros eur dollar dollars usd pound pounds gbp franc francs franken chf",
);

/** Verbs of another request that takes nothing back. */
export const otherReadings: ReadonlySet<string> = words("read list search find open lies lese suche finde");
/** What another request may say. */
export const otherWords: ReadonlySet<string> = words(
  "one two three four five six to in on with from at of about by others rest me us file files mail mails email message event events list folder channel note notes invoice bill summary greeting hello result results mit von an zu im über",
);
/** Behind these words another request asks for knowledge: "tell me what is left". */
export const askedFor: ReadonlySet<string> = words("what how which who was wie wer");

/**
 * Words by which somebody wants to wait, to see or to be asked. Where the words of an act are free, as of a
 * mail, any of them makes it ask, also where it only stands in what the mail is to say.
 */
export const holdingWords: ReadonlySet<string> = words(
  "but before until till unless once first draft drafts drafting review reviewed approve approves approved approval ok okay confirm confirms confirmed confirmation wait hold pending provided assuming subject pretend simulate simulated dry-run later postpone hypothetically " +
    "aber bevor bis sobald erst zuerst entwurf freigabe freigeben warte prüfen später",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
