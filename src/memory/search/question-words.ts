/** Function words of a language that a question may be in, without accents. */
type Language = "english" | "german" | "dutch";

const functionWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  english: listOf(
    "a an the this that these those there here and or but if so than then as not no nor i me my mine we us our ours you your yours he him his she her hers it its they them their theirs am is are was were be been being do does did done have has had having can could will would shall should may might must of in on at by to for from with about into over under what when where who whom whose which why how much many long ago",
  ),
  german: listOf(
    "der die das den dem des ein eine einen einem einer eines und oder aber wenn als nicht kein keine keinen ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren unserem unserer du dich dir dein deine er ihn ihm sein seine sie ihr ihre ihnen ihren es man ist bin sind war waren wird werden wurde wurden sein gewesen habe hast hat haben hatte hatten kann konnte konnen soll sollte will wollte muss musste mussen darf gibt gab von in im an am auf bei beim zu zum zur fur aus mit uber unter nach vor um bis seit gegen ohne durch was wann wo wer wem wen wessen welche welcher welches welchen welchem warum wieso wie viel viele lange noch schon mal denn doch auch wieder dann so zwischen etwas alle alles diese dieser dieses diesen",
  ),
  dutch: listOf(
    "de het een en of maar als niet geen ik me mij mijn wij we ons onze jij je jou jouw u uw hij hem zijn ze zij haar hun het is ben zijn was waren wordt werd worden geweest heb hebt heeft hebben had hadden kan kon kunnen zal zou zullen wil wilde moet moest moeten mag van in op aan bij te tot voor uit met over onder na naar om sinds tegen zonder door wat wanneer waar wie wiens welke welk waarom hoe veel hoeveel lang nog al ook weer dan zo er deze dit die dat daar alle alles iets",
  ),
};

/** Words of questions and of small talk that say nothing about a note. */
const frameWords = listOf(
  "hi hello hey hallo hoi thanks thank thx danke dank bedankt bye goodbye tschuss doei ok okay okey yes yeah yep nope ja nein nee please bitte graag alsjeblieft sure great fine cool sorry welcome moin servus hiya morning evening afternoon guten goede goedemorgen goedenavond abend good nice well let tell show remind zeig zeige sag sage toon",
);
/** The words of a question, in lower case and without accents, that say nothing about a note: function words of its language, and frames such as "tell me". None where all are such words. */
export function emptyWords(words: readonly string[]): ReadonlySet<string> {
  const ofLanguage = functionWords[languageOf(words)];
  const empty = words.filter((word) => ofLanguage.has(word) || frameWords.has(word));
  return new Set(empty.length === words.length ? [] : empty);
}

/** Set phrases of small talk, whose words alone may be about something. */
const smallTalk =
  "good job|great job|good work|great work|nice work|well done|go on|go ahead|carry on|keep going|never mind|no problem|good night|see you tomorrow|see you later|see you soon|see you|gute nacht|gute arbeit|gut gemacht|vielen dank|alles klar|mach weiter|weiter so|bis morgen|bis spater|bis dann|bis bald|goede nacht|goed gedaan|goed werk|ga door|ga verder|tot morgen|tot straks|tot later|veel dank".split(
    "|",
  );

/** True for words that greet, thank or agree, and ask nothing. */
export function isSmallTalk(words: readonly string[]): boolean {
  const said = smallTalk.reduce((text, phrase) => text.replace(` ${phrase} `, " "), ` ${words.join(" ")} `);
  const ofLanguage = functionWords[languageOf(words)];
  const left = said.split(" ").filter((word) => word !== "");
  return left.every((word) => frameWords.has(word) || ofLanguage.has(word));
}

/** The language with the most function words; English where another has no more. */
export function languageOf(words: readonly string[]): Language {
  const count = (language: Language): number =>
    words.filter((word) => functionWords[language].has(word)).length;
  const [german, dutch, english] = [count("german"), count("dutch"), count("english")];
  if (english >= german && english >= dutch) return "english";
  return german >= dutch ? "german" : "dutch";
}

function listOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
