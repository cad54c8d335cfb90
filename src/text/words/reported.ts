import { sentenceStart } from "./find-verbs.ts";
import { commonWords, readingVerbs, sensesOf } from "./lexicon.ts";
import type { Word } from "./tokens.ts";

/** Whether a verb stands in what others wish or say, up to the end of the sentence: "Anna wants me to delete it", "the mail says to pay", "I was asked to invite her". It asks for nothing. */
export function isReported(words: readonly Word[], at: number): boolean {
  const begin = sentenceStart(words, at);
  const sentence = words.slice(begin, at).map(({ text, role }) => (role === "plain" ? text : ""));
  const isOwn = isVerb(sentence[0] ?? "");
  const before = words.slice(begin, at);
  return sentence.some(
    (_, place) => (place > 0 && tellsWish(sentence, place, isOwn)) || isPassedOn(before, place),
  );
}

/** "Remind me to delete it", "tell Bob to pay": what somebody is told to do is not asked of the agent now. */
function isPassedOn(sentence: readonly Word[], at: number): boolean {
  if (!passingVerbs.has(sentence[at]?.text ?? "") || sentence[at]?.role !== "plain") return false;
  const behind = sentence.slice(at + 2, at + 5).findIndex(({ text }) => text === "to");
  const next = sentence[at + 3 + behind];
  if (behind === -1 || next === undefined) return behind !== -1;
  const isVerbNext = !next.capital && next.identifier === null && !commonWords.has(next.text);
  return isVerbNext && sentence[at]?.text === "remind";
}

const passingVerbs: ReadonlySet<string> = words("remind ask tell instruct urge advise");

/** Whether a word begins what somebody else wishes. `isOwn`: the sentence begins with a request of the owner's, in which others may be spoken of. */
function tellsWish(sentence: readonly string[], at: number, isOwn: boolean): boolean {
  const [text = "", before = ""] = [sentence[at], sentence[at - 1]];
  const behind = sentence.slice(at + 1, at + 6);
  if (selves.has(before)) return false;
  if (wishes.has(text) && behind.slice(0, 3).some((word) => asked.has(word)) && sentence.includes("to", at))
    return true;
  if (isOwn) return false;
  if (passives.has(before)) return tellings.has(text) && behind[0] === "to";
  if (requests.has(text)) return behind[0] === "to";
  if (germanTellings.has(text)) return behind.slice(0, 3).some((word) => germanAsked.has(word));
  if (!tellings.has(text)) return false;
  const said = behind[0] === "that" ? behind.slice(1) : behind;
  return (
    said.slice(0, 4).includes("to") ||
    (selves.has(said[0] ?? "") && (modals.has(said[1] ?? "") || (insistings.has(text) && said !== behind)))
  );
}

function isVerb(text: string): boolean {
  return sensesOf(text).length > 0 || readingVerbs.has(text);
}

const wishes: ReadonlySet<string> = words(
  "want wants wanted wishes wished ask asks asked tell tells told begs begged urges urged expects needs requests requested orders ordered instructs instructed would",
);
const insistings: ReadonlySet<string> = words(
  "insists insisted demanded demands requests requested asks asked wants wanted",
);
/** Forms that no request of the owner's has. */
const tellings: ReadonlySet<string> = words(
  "asks asked asking says said saying tells told telling writes wrote writing emails emailed mailed messaged texted pinged begs begged begging urges urged urging insists insisted insisting demanded requested requesting instructs instructed instructing ordered ordering wants wanted wanting invites invited reminds reminded advises advised suggests suggested recommends recommended proposes proposed expects expected thinks hopes hoped",
);
const requests: ReadonlySet<string> = words("request requests demand plea invitation proposal instructions");
const passives: ReadonlySet<string> = words("was were been am are being got get");
const selves: ReadonlySet<string> = words("i we you");
const asked: ReadonlySet<string> = words("me us you");
const modals: ReadonlySet<string> = words("should must can could may might ought have need shall");
const germanTellings: ReadonlySet<string> = words(
  "sagt sagte meint meinte schreibt schrieb bittet bat verlangt verlangte will möchte fordert findet",
);
const germanAsked: ReadonlySet<string> = words("mich dich uns du ich wir dass daß soll sollst solle");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
