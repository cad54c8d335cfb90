import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import type { Effect } from "../../../signal/effect.ts";

/** What a yes on a phone is too easy for: it also wants a word that the owner types. */
export type Weight = "money" | "access" | "deletion";

/**
 * Why a yes to this question also wants a typed word; empty where it does not. An act that nobody declared
 * counts as all three, and a program
 * that nothing holds back counts as one that deletes.
 */
export function weightsOf({
  effects,
  changes = [],
}: Pick<ApprovalQuestion, "effects" | "changes">): readonly Weight[] {
  const found = new Set(effects.flatMap(weightsOfEffect));
  if (changes.some(({ change }) => change === "delete")) found.add("deletion");
  return allWeights.filter((weight) => found.has(weight));
}

const allWeights = ["money", "access", "deletion"] as const satisfies readonly Weight[];

function weightsOfEffect(effect: Effect): readonly Weight[] {
  switch (effect.kind) {
    case "delete-path":
      return ["deletion"];
    case "write-path":
      return [
        ...(effect.extent === undefined ? [] : (["deletion"] as const)),
        ...(effect.opens === undefined && effect.lifts === undefined ? [] : (["access"] as const)),
      ];
    case "run-program":
      return [
        ...(effect.extent === undefined && (effect.confined || effect.proof !== null)
          ? []
          : (["deletion"] as const)),
        ...((effect.credentials ?? []).length === 0 ? [] : (["access"] as const)),
      ];
    case "use-service":
      return weightsOfAct[effect.act];
    case "change-memory":
      return [
        ...(effect.setting === undefined ? [] : (["access"] as const)),
        ...(effect.reversal === "final" ? (["deletion"] as const) : []),
        ...(effect.plan?.steps ?? []).flatMap((step) => step.effects.flatMap(weightsOfEffect)),
      ];
    case "read-path":
      return effect.label.secrecy === "secret" ? ["access"] : [];
    case "reach-host":
    case "tell-person":
    case "call-model":
    case "evaluate":
      return [];
  }
}

const weightsOfAct: Readonly<Record<Extract<Effect, { kind: "use-service" }>["act"], readonly Weight[]>> = {
  read: [],
  fetch: [],
  change: [],
  send: [],
  delete: ["deletion"],
  pay: ["money"],
  credential: ["access"],
  grant: ["access"],
  unknown: allWeights,
};

/** Plain words that are typed in a moment and that no keyboard corrects into others. */
const words = (
  "acorn amber anchor apple april arrow autumn badge bakery bamboo banana barrel basket beacon beetle bicycle " +
  "birch blanket blossom bottle branch bread bridge bronze bucket butter button cabin cactus camel candle canoe " +
  "canyon carpet carrot castle cedar cellar cherry chimney cinema circle cliff clover coast coffee copper coral " +
  "cotton cradle cricket crystal curtain daisy desert dinner dolphin donkey dragon eagle early easel elbow ember " +
  "engine falcon feather fiddle finger flame flute forest fossil fountain garden garlic ginger glacier glove " +
  "granite grape guitar hammer harbor harvest hazel hedge helmet honey island ivory jacket jasmine jungle kettle " +
  "kitchen ladder lagoon lantern lemon lilac linen lizard locket lumber magnet maple marble meadow melon mirror " +
  "mitten mosaic mountain muffin nectar needle nickel nutmeg ocean olive onion orange orchard otter oyster paddle " +
  "palace paper parcel parrot pebble pencil pepper piano pickle pigeon pillow planet pocket pollen pond potato " +
  "prairie pumpkin puzzle quartz rabbit radish raisin ribbon river rocket saddle salmon sandal saturn scarf shadow " +
  "silver skate spider spinach sponge spruce squirrel statue summer sunset swallow teapot temple thimble thunder " +
  "ticket timber tomato tractor tulip tunnel turtle umbrella valley velvet violet violin walnut walrus willow " +
  "window winter wizard wolf yellow zebra zipper"
).split(" ");

/**
 * A word for one question, or two where so many wait; none that another open question wants. `random`: a
 * whole number from 0 to below what it is given.
 */
export function pickWord(taken: ReadonlySet<string>, random: (below: number) => number): string {
  const any = (): string => words[random(words.length)] ?? "";
  const free = words.filter((word) => !taken.has(word));
  return free.length === 0 ? `${any()} ${any()}` : (free[random(free.length)] ?? "");
}

/** Whether a message is nothing but this word, however the phone wrote it. */
export function isTypedWord(text: string, word: string): boolean {
  return text.normalize("NFKC").trim().replace(/[.!]$/, "").toLowerCase() === word;
}
