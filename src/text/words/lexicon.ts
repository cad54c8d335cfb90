const senses = [
  "send",
  "post",
  "share",
  "add",
  "insert",
  "invite",
  "create",
  "change",
  "delete",
  "pay",
  "trade",
  "transfer",
  "upload",
  "download",
  "arrange",
  "react",
  "retract",
  "submit",
  "sign-in",
  "confirm",
  "run",
] as const;

/** What a verb asks for. A tool's verb and the owner's verb mean the same act if they share a sense. */
export type Sense = (typeof senses)[number];

/** Each sense with its verbs in the form of a request: base form, and in German imperative and infinitive. */
const verbs: Readonly<Record<Sense, string>> = {
  send: "send mail email e-mail message write reply answer respond forward tell notify inform text dm ping remind post schick schicke schicken sende senden maile mailen schreib schreibe schreiben antworte antworten benachrichtige benachrichtigen informiere informieren",
  post: "post publish write reply answer tweet comment announce veröffentliche veröffentlichen poste posten schreib schreibe schreiben",
  share: "share teile teilen",
  add: "add include füge hinzufügen",
  insert: "add append insert include put write füge hinzufügen ergänze ergänzen trage eintragen",
  invite: "invite add include lade einladen",
  create:
    "create make draft new schedule book plan open write generate produce reserve rent hire mieten erstelle erstellen plane planen buche buchen reserviere reservieren anlegen",
  change:
    "change update edit modify adjust set reset replace correct fix rename reschedule move shift postpone mark adapt ändere ändern aktualisiere aktualisieren verschiebe verschieben korrigiere korrigieren ersetze ersetzen",
  delete:
    "delete remove erase cancel trash discard purge drop wipe revoke kick ban clear lösche löschen entferne entfernen storniere stornieren",
  pay: "pay transfer wire refund repay settle donate reimburse zahle zahlen bezahle bezahlen überweise überweisen",
  trade: "buy purchase order checkout return kaufe kaufen bestelle bestellen",
  transfer: "transfer assign grant promote give übertrage übertragen",
  upload: "lade upload push publish sync commit hochladen",
  download: "lade download clone pull save sync herunterladen",
  arrange:
    "move copy upload download place put sync organise organize save kopiere kopieren verschiebe verschieben",
  react: "star like vote rate",
  retract: "unstar unlike unfollow",
  submit: "submit fill enter input register apply",
  "sign-in": "login log sign authenticate anmelden",
  confirm: "verify confirm accept bestätige bestätigen",
  run: "run execute build test start install starte starten",
};

const sensesByVerb: ReadonlyMap<string, readonly Sense[]> = invert(verbs);

/** Verbs of two words, where the second changes what the first asks for. */
const verbsOfTwoWords: ReadonlyMap<string, readonly Sense[]> = new Map([
  ["set up", ["create"]],
  ["sign up", ["create"]],
  ["check out", ["trade"]],
  ["send back", ["send", "pay"]],
  ["pay back", ["pay"]],
  ["make sure", []],
]);

/** The senses of a verb in the form of a request, with the word behind it; none for any other word. */
export function sensesOf(word: string, next = ""): readonly Sense[] {
  return verbsOfTwoWords.get(`${word} ${next}`) ?? sensesByVerb.get(word) ?? [];
}

/** Verbs that take a place or a thing for somebody: what they name is the destination. */
export const bookingVerbs: ReadonlySet<string> = words(
  "book reserve rent hire buche buchen reserviere reservieren miete mieten",
);

/** Nouns that people use for the same kind of thing. */
const synonyms: readonly ReadonlySet<string>[] = [
  words("event appointment meeting calendar entry termin kalender"),
  words("mail email message nachricht inbox posteingang"),
  words("status update post"),
  words("hotel room rooms night nights zimmer nacht nächte"),
  words("restaurant table tisch"),
  words("flight flug"),
  words("file datei dateien"),
  words("folder directory ordner verzeichnis"),
  words("document dokument"),
  words("channel kanal"),
  words("task todo aufgabe"),
];

/** A noun with all that people call the same kind of thing. */
export function synonymsOf(noun: string): readonly string[] {
  return [noun, ...synonyms.filter((set) => set.has(noun)).flatMap((set) => [...set])];
}

/** Verbs that only ask for knowledge. They begin a clause of their own. */
export const readingVerbs: ReadonlySet<string> = words(
  "read summarise summarize find search look show list check visit browse open get fetch see view count compare sort explain describe follow translate analyse analyze review consult follow do address complete perform help achieve handle suggest lies lese lesen finde finden suche suchen zeig zeige zeigen fasse besuche prüfe prüfen",
);

/** Words before a verb that make a request of it. */
export const requestWords: ReadonlySet<string> = words(
  "please kindly also then now first next finally afterwards afterward again to and or but you we let's lets me help bitte auch dann danach und oder zuerst erst mir uns",
);

/** Words that take back what the verb behind them says. */
export const negations: ReadonlySet<string> = words(
  "not never without don't dont doesn't cannot can't won't shouldn't mustn't no nor neither avoid nicht nie niemals kein keine keinen ohne",
);

/** Words behind which stands what is to stay as it is. */
export const exceptionWords: ReadonlySet<string> = words(
  "except excluding but besides minus keep leave spare preserve statt anstatt außer ausser behalte behalten lass lasse ausgenommen",
);

/** Two words that mean the same. */
export const exceptionPhrases: ReadonlySet<string> = new Set([
  "instead of",
  "rather than",
  "other than",
  "save for",
  "apart from",
  "aside from",
  "bis auf",
  "anstelle von",
]);

/** Words by which a sentence tells what others ask for. */
export const reportWords: ReadonlySet<string> = words(
  "asked asks said says told tells wrote writes suggested suggests proposed proposes recommends bat sagt sagte schrieb schreibt meint meinte",
);

/** Subjects of a sentence that tells what is or was. */
export const statementSubjects: ReadonlySet<string> = words(
  "i we you he she they it there ich du wir er es man gestern yesterday",
);

/** Nouns behind a number that measure, and count no things. */
export const unitNouns: ReadonlySet<string> = words(
  "second seconds minute minutes hour hours day days week weeks month months year years byte bytes kb mb gb tb kib mib gib percent times lines " +
    "sekunden minuten stunden tag tagen tage woche wochen monat monate monaten jahr jahre jahren prozent zeilen mal",
);

/** Nouns that a number behind them names: "version 12". */
export const numberedNouns: ReadonlySet<string> = words(
  "version release chapter section page step issue ticket phase sprint level line day number kapitel seite schritt stufe zeile tag",
);

/** Verbs that a negation turns into a request: "do not forget to". */
export const negatedRequests: ReadonlySet<string> = words("forget hesitate fail vergiss vergesse");

/** Words that begin a clause about what is, not about what to do. */
export const relatives: ReadonlySet<string> = words(
  "that which what who whom whose where when because since if whether welche welcher welches wo weil dass ob",
);

/** Words at the start of a question that asks for knowledge. */
export const questionWords: ReadonlySet<string> = words(
  "what who whom whose when where which why how is are was were am did does do has have had will wer was wann wo welche welcher welches warum wie ist sind war waren hat habe",
);

/** Words before "to" that tell of a wish or an attempt and ask for nothing: "I tried to delete". */
export const statementWords: ReadonlySet<string> = words(
  "tried tries try trying wants wanted plan plans planned planning going decided failed able unable how used refused about supposed meant began started",
);

/** Words before "to" that only say what something is for: "the link to reset my password", "how to delete it". */
export const infinitiveNouns: ReadonlySet<string> = words(
  "link links url page form button code way ways option options permission right rights chance steps instructions guide what where when whom which whether request requests proposal offer reason decision idea ability",
);

/** Prepositions behind which stands where something comes from, never where it goes. */
export const sourcePrepositions: ReadonlySet<string> = words(
  "from at about by via according based using like than per off regarding concerning über aus von laut mittels",
);

/** Prepositions behind which stands where something goes, or with whom. */
export const targetPrepositions: ReadonlySet<string> = words(
  "to into onto with for in on zu zum zur mit für auf nach ins",
);

/** Words that only German has. With two of them a text is read as German, where "an" means "to". */
export const germanWords: ReadonlySet<string> = words(
  "der die das den dem und bitte mir ein eine einen ist zum zur mit ich nicht kannst von für",
);

/** Words that stand for persons or places named just before. */
export const anaphors: ReadonlySet<string> = words(
  "them him her each both everyone ihm ihr ihnen allen jedem",
);

/** Words that name a number of things. */
export const quantities: ReadonlyMap<string, number | "all"> = new Map<string, number | "all">([
  ...["all", "every", "each", "everything", "any", "alle", "alles", "jede", "jeden", "jedes"].map(
    (word) => [word, "all"] as const,
  ),
  ...["a", "an", "one", "the", "this", "that", "ein", "eine", "einen"].map((word) => [word, 1] as const),
  ...["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map(
    (word, at) => [word, at + 2] as const,
  ),
  ...["eleven", "twelve"].map((word, at) => [word, at + 11] as const),
  ...["elf", "zwölf"].map((word, at) => [word, at + 11] as const),
  ...["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"].map(
    (word, at) => [word, at + 2] as const,
  ),
  ["both", 2],
  ["beide", 2],
]);

/** Nouns for a text: behind one of them a colon begins content: "the following message: …". */
export const contentNouns: ReadonlySet<string> = words(
  "message text question words body subject note content comment reply title description following mail email letter error errors warning log output trace transcript conversation paragraph snippet excerpt quotation article " +
    "nachricht frage worte betreff inhalt brief fehler fehlermeldung meldung warnung ausgabe protokoll absatz abschnitt auszug zitat artikel",
);

/**
 * Verbs for what is done with a text: a colon behind one of them begins content: "translate into German:
 * …".
 */
export const showingVerbs: ReadonlySet<string> = words(
  "summarise summarize translate explain proofread rephrase paraphrase rewrite review analyse analyze interpret zusammenfassen übersetze übersetzen erkläre erklären korrekturlesen umformulieren",
);

/** Nouns before a bare number that make an identifier of it: "file 13". */
export const idNouns: ReadonlySet<string> = words("id number no nr nummer #");

/**
 * Nouns of payments before a number that is no amount but names or describes them: "invoice 4711", "the
 * note 9000".
 */
export const referenceNouns: ReadonlySet<string> = words(
  "invoice bill order reference ref note memo message subject text description comment purpose ticket case customer transaction rechnung rechnungsnummer bestellung bestellnummer auftrag referenz verwendungszweck betreff notiz nachricht kunde kundennummer",
);

/** Words beside a number that say that it is money. */
export const currencyWords: ReadonlySet<string> = words(
  "euro euros eur dollar dollars usd pound pounds gbp franc francs franken chf yen jpy",
);

/** Nouns for something that a link leads to. */
export const linkNouns: ReadonlySet<string> = words(
  "link links url urls article articles website websites site sites page pages webpage webpages blog blogs post posts artikel seite seiten webseite webseiten",
);

/** Nouns for something that opens an account. */
export const credentialNouns: ReadonlySet<string> = words(
  "password passwords passcode passphrase pin credential credentials account key keys token login passwort kennwort konto schlüssel zugang",
);

/** Arguments that name a person, or an account of one. */
export const personNouns: ReadonlySet<string> = words(
  "address email mail phone mobile telephone to cc bcc recipient recipients user users participant participants person persons member members owner collaborator collaborators attendee attendees guest guests invitee contact contacts account iban payee empfänger teilnehmer",
);

/** Nouns for money. */
export const moneyNouns: ReadonlySet<string> = words(
  "money payment payments transaction transactions rent bill bills invoice invoices amount fee fees refund balance subscription salary price geld zahlung zahlungen miete rechnung rechnungen betrag überweisung",
);

/** The words that name a right, for arguments that grant one. */
export const rightWords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["r", words("read reading view viewing lesen")],
  ["rw", words("write writing edit editing schreiben bearbeiten")],
  ["w", words("write writing edit editing schreiben bearbeiten")],
]);

/** Arguments and words of a code that confirms an act. */
export const confirmationWords: ReadonlySet<string> = words(
  "otp code pin tan passcode confirmation verification verify confirm one-time einmalcode bestätigung bestätigen",
);

/** Words of a status that says that something was not done. */
export const failureWords: ReadonlySet<string> = words(
  "incorrect wrong invalid failed failure conflict expired rejected denied falsch ungültig fehlgeschlagen abgelaufen",
);

/** Words too common to name anything. */
export const commonWords: ReadonlySet<string> = words(
  "a an the of to in on at by for with from and or but not no is are was were be been am do does did has have had will would can could should may might must it its this that these those i me my we our us you your he him his she her they them their there here as if so than then also just only any all each every some one two new old please about into over out up down off who what which when where why how hi hello hey dear thanks thank best regards der die das den dem ein eine einen und oder nicht ist sind war mit von zu zum zur im am auf für bei aus nach über ich mir mich du dir wir uns ihr sie es bitte",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

function invert(table: Readonly<Record<Sense, string>>): ReadonlyMap<string, readonly Sense[]> {
  const found = new Map<string, Sense[]>();
  for (const sense of senses) {
    for (const verb of table[sense].split(" ")) {
      const known = found.get(verb);
      if (known === undefined) found.set(verb, [sense]);
      else known.push(sense);
    }
  }
  return found;
}
