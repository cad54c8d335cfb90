import { sensesOf } from "./lexicon.ts";
import type { Word } from "./tokens.ts";

/** Verbs that take a thing away, besides those of the lexicon. */
const removingVerbs: ReadonlySet<string> = words(
  "nuke bin trash ditch scrap zap chuck toss dump axe throw rid empty rm uninstall deinstall unlink untag untrack unpublish eliminate destroy obliterate kill evict clear cancel move rename archive mv " +
    "wirf werfen schmeiß schmeiss leere leeren lösch tilge verschieb archiviere archivieren deinstalliere deinstallieren gelöscht entfernt geleert",
);

/** Verbs that stop or change a thing, besides those of the lexicon. What is in no table asks for nothing exact: "tidy up", "sort out". */
const changingVerbs: ReadonlySet<string> = words(
  "stop halt end terminate quit restart reload bounce reboot disable enable mask pause suspend shut turn switch swap merge combine migrate convert consolidate prune detach revert restore undo rollback roll bump downgrade upgrade chmod chown touch truncate squash rebase drain scale unset substitute overwrite rewrite replace reset regenerate blank shorten " +
    "überschreibe überschreiben ersetze ersetzen kürze kürzen stoppe stoppen beende beenden halte halt anhalten deaktiviere deaktivieren setze setzen benenne tausche tauschen gestoppt beendet",
);

/** Words for "gone": behind "can" and "must" they ask for a removal. */
const goneWords: ReadonlySet<string> = words("go gone weg away raus fort");

const modals: ReadonlySet<string> = words(
  "can could may might should must shall be to kann wird werden können könnte könnten soll sollen sollte sollten muss müssen darf dürfen",
);

/** Words that say which one of several, on what condition or about how many: what stands beside them is not named. */
const openWords: ReadonlySet<string> = words(
  "or either whichever whatever whoever if unless whether when once maybe perhaps possibly probably some most many few several certain any somehow or oder entweder falls wenn sofern vielleicht evtl eventuell manche einige mehrere wenige",
);

/** Words that say that a number is none. */
export const aboutWords: ReadonlySet<string> = words(
  "about around roughly approximately nearly almost over under least most maybe some circa ca etwa rund ungefähr mindestens höchstens fast oldest newest biggest largest smallest worst random",
);

/** Words that change nothing in which things a sentence names. */
const fillers: ReadonlySet<string> = words(
  "a an the this that these those both all each every everything whole entire entirely completely complete full fully it its them they of in inside into from under within below at on and n also too as well please pls plz kindly now then again just right away up out off down for me us you i we can could would will should must may be to want like need let's can't get my our your " +
    "folder folders dir dirs directory directories file files content contents thing things item items script scripts branch branches tag tags service services unit units daemon daemons container containers process processes pid pids package packages dep deps dependency dependencies image images pod pods volume volumes module modules job jobs draft drafts note notes subfolder there here repo repository origin remote local locally " +
    "der die das den dem des ein eine einen alle alles ganz ganze ganzen gesamte gesamten komplett vollständig bitte auch und sowie mir im in aus ordner verzeichnis datei dateien inhalt inhalte zweig zweige zweigen dienst dienste tag tags paket pakete prozess prozesse kannst könntest du sie es jetzt an ab um wieder danke thanks thank cheers ok okay yes ja hi hey kann können kannst könntest soll sollen sollte muss müssen darf mal doch gern gerne einfach wird werden be been altogether finally",
);

/** What kind of things a noun counts, by the name that the extent of a command has for it. */
const kindsByNoun: ReadonlyMap<string, string> = new Map(
  Object.entries({
    files: "file files datei dateien draft drafts note notes module modules log logs script scripts",
    branches: "branch branches zweig zweige zweigen",
    tags: "tag tags",
    services: "service services dienst dienste unit units daemon daemons",
    containers: "container containers image images volume volumes",
    processes: "process processes pid pids prozess prozesse",
    packages: "package packages paket pakete dep deps dependency dependencies",
    others:
      "mail mails email emails message messages event events meeting meetings line lines minute minutes commit commits issue issues user users person people idea ideas word words point points error errors bug bugs test tests nachricht nachrichten termin termine fehler",
  }).flatMap(([kind, nouns]) => nouns.split(" ").map((noun) => [noun, kind] as const)),
);

/** Whether a noun may count things of a kind: a noun that is not known counts anything. */
export function countsKind(noun: string, kind: string): boolean {
  const known = kindsByNoun.get(noun);
  return known === undefined || known === kind;
}

/** Whether a word asks that something be taken away, stopped or changed, as it stands in its sentence. */
export function isActing(sentence: readonly Word[], at: number): boolean {
  const word = sentence[at];
  if (word === undefined || word.role !== "plain") return false;
  const before = sentence[at - 1]?.text ?? "";
  if (goneWords.has(word.text)) return at > 0;
  if (isVerb(word.text)) return !articles.has(before);
  return modals.has(before) && participleOf(word.text).some(isVerb);
}

/** Whether a word asks that a thing be taken away as a whole. */
export function isRemoving(sentence: readonly Word[], at: number): boolean {
  const text = sentence[at]?.text ?? "";
  return isActing(sentence, at) && (goneWords.has(text) || [text, ...participleOf(text)].some(removes));
}

const articles: ReadonlySet<string> = words("a an the this that these those my our your der die das den dem");

function isVerb(text: string): boolean {
  return removes(text) || changingVerbs.has(text) || sensesOf(text).length > 0;
}

function removes(text: string): boolean {
  return removingVerbs.has(text) || mistyped.has(text) || sensesOf(text).includes("delete");
}

/** As people mistype them. */
const mistyped: ReadonlySet<string> = words(
  "delte delet deltee deleet dleete deelte delele remov remvoe rmeove remoev remve reomve remvoe removee romove uninstal unistall löshce lösceh lösche entferen enfernen",
);

function participleOf(text: string): readonly string[] {
  const stem = /^(.+?)(.)\2ed$/.exec(text);
  return [text.slice(0, -1), text.slice(0, -2), ...(stem === null ? [] : [`${stem[1]}${stem[2]}`])];
}

/** Whether a word leaves open which things are meant. */
export function isOpen({ text, role }: Word): boolean {
  return role === "plain" && openWords.has(text);
}

/** Whether a word changes nothing in which things its sentence names. */
export function isFiller({ text, role }: Word): boolean {
  return role === "plain" && fillers.has(text);
}

/** A name that nobody types by chance: with a sign or a digit in it, or in quotes. A number alone is none. */
export function isDistinct({ text, role, identifier, dated }: Word): boolean {
  if (dated || identifier?.form === "number" || identifier?.form === "date") return false;
  return role === "name" || /[/_.@]|\d|\p{L}-\p{L}/u.test(text);
}

/** "The oldest of a and b": what stands behind "of" is what to choose from. */
export function choosesFrom(sentence: readonly Word[], at: number): boolean {
  const [before, word] = [sentence[at - 1], sentence[at]];
  if (before === undefined || word === undefined || word.role !== "plain") return false;
  if (between.has(word.text)) return true;
  return partitives.has(word.text) && !isFiller(before) && !isActing(sentence, at - 1);
}

const between: ReadonlySet<string> = words("among amongst between zwischen unter");
const partitives: ReadonlySet<string> = words("of von");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
