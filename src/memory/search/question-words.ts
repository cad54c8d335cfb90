/** Function words of a language that a question may be in, without accents. */
export type Language = "english" | "german" | "dutch" | "french" | "spanish" | "italian" | "portuguese";

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
  french: listOf(
    "le la les l un une des du de d et ou mais si que qui quoi dont ou je j me m moi mon ma mes nous notre nos tu te toi ton ta tes vous votre vos il elle on se son sa ses lui leur leurs ils elles ce cet cette ces c cela ca est suis es sommes etes sont etait etais etaient ete etre ai as a avons avez ont avait avais avoir fait faire peut peux pouvons doit dois faut ne n pas plus dans sur sous avec sans pour par en au aux chez vers depuis quand quel quelle quels quelles comment combien pourquoi ou y quelqu quelque tout tous toute toutes deja encore aussi tres bien",
  ),
  spanish: listOf(
    "el la los las lo un una unos unas de del y e o u pero si que quien quienes cual cuales cuando donde como cuanto cuanta cuantos cuantas yo me mi mis mio nos nosotros nuestro nuestra tu te ti tus usted ustedes su sus le les se el ella ellos ellas este esta estos estas ese esa eso aquel es soy eres somos son era eran fue fueron ser sido estoy esta estan estaba estar he ha has hemos han habia haber hay tengo tiene tienen puede puedo debe hace hizo no ni mas en a al con sin por para sobre desde hasta entre ya muy tambien todo todos toda todas algo alguien cada porque",
  ),
  italian: listOf(
    "il lo la i gli le l un uno una di del dello della dei degli delle d e ed o ma se che chi cui quale quali quando dove come quanto quanta quanti quante io mi me mio mia miei mie noi ci nostro nostra tu ti te tuo tua voi vi vostro lui lei loro suo sua suoi sue si questo questa questi queste quello quella e sono sei siamo siete era erano stato stata essere ho hai ha abbiamo avete hanno aveva avere c fatto fare puo posso deve devo non piu in nel nella nei nelle a al alla ai alle con senza per su sul sulla da dal dalla tra fra gia molto anche tutto tutti tutta qualcosa qualcuno perche",
  ),
  portuguese: listOf(
    "o a os as um uma uns umas de do da dos das e ou mas se que quem qual quais quando onde como quanto quanta quantos quantas eu me mim meu minha meus minhas nos nosso nossa tu te teu tua voce voces ele ela eles elas seu sua seus suas lhe este esta isso isto esse essa aquele aquela e sou somos sao era eram foi foram ser sido estou esta estao estava estar tenho tem temos tinha ter ha houve faz fez pode posso deve nao mais em no na nos nas ao aos com sem por pelo pela para sobre desde ate entre ja muito tambem tudo todos toda algo alguem cada porque",
  ),
};

/** Many of their function words are English nouns and verbs (come, comment, dove, era, fare, pour, son), so that one tells nothing. */
const romance: ReadonlySet<Language> = new Set(["french", "spanish", "italian", "portuguese"]);

/** English comes first: another language has to have more of its words. */
const languages: readonly Language[] = [
  "english",
  "german",
  "dutch",
  "french",
  "spanish",
  "italian",
  "portuguese",
];

/** Words of questions and of small talk that say nothing about a note. */
const frameWords = listOf(
  "hi hello hey hallo hoi thanks thank thx danke dank bedankt bye goodbye tschuss doei ok okay okey yes yeah yep nope ja nein nee please bitte graag alsjeblieft sure great fine cool sorry welcome moin servus hiya morning evening afternoon guten goede goedemorgen goedenavond abend good nice well let tell show remind zeig zeige sag sage toon",
);
/** The words of a question, in lower case and without accents, that say nothing about a note: function words of its language, and frames such as "tell me". None where all are such words. */
export function emptyWords(words: readonly string[]): ReadonlySet<string> {
  const ofLanguage = functionWords[languageOf(words) ?? "english"];
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
  const ofLanguage = functionWords[languageOf(words) ?? "english"];
  const left = said.split(" ").filter((word) => word !== "");
  return left.every((word) => frameWords.has(word) || ofLanguage.has(word));
}

/** The language with the most function words: English where no other has more; null where no language has any. */
export function languageOf(words: readonly string[]): Language | null {
  let best: Language | null = null;
  let most = 0;
  for (const language of languages) {
    const count = words.filter((word) => functionWords[language].has(word)).length;
    if (count > most && count >= (romance.has(language) ? 2 : 1)) [best, most] = [language, count];
  }
  return best;
}

function listOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
