/** English function words, whole, and the parts that an apostrophe leaves. */
const words: ReadonlySet<string> = new Set(
  [
    "a an the this that these those here there and or but if so than then as not no nor",
    "i me my mine we us our ours you your yours he him his she her hers it its they them their theirs",
    "am is are was were be been being do does did done have has had having",
    "can could will would shall should may might must",
    "of in on at by to for from with about into over under",
    "what when where who whom whose which why how much many long ago",
    "s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn",
  ].flatMap((line) => line.split(" ")),
);

/** True for a lower-case function word. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}
