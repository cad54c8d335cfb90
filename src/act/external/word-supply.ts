/** The words that the owner typed, each to be used as often as they typed it. */
export type WordSupply = {
  /**
   * Takes the words of a text out of one message of the owner. False where it has not all of them left, or
   * where they are spelled or joined in a way that may tell something by itself.
   */
  readonly take: (text: string) => boolean;
};

const word = /[\p{L}\p{N}\p{M}]+/gu;
/** How sentences join words, and how a text ends. */
const usualJoints: ReadonlySet<string> = new Set([" ", ", ", ". ", "-", "'", "\n", "\n\n"]);
const usualEnds: ReadonlySet<string> = new Set(["", ".", "!", "?"]);

export function openWordSupply(messages: readonly string[]): WordSupply {
  const supplies = messages.map((message) => {
    const spelled = message.match(word) ?? [];
    return {
      spellings: new Set(spelled),
      joints: new Set(message.split(word)),
      left: spelled.map((part) => part.toLowerCase()),
    };
  });
  return {
    take(text) {
      const parts = text.match(word) ?? [];
      const joints = text.split(word);
      const [first = "", last = ""] = [joints[0], joints.at(-1)];
      const inner = joints.slice(1, -1);
      if (parts.length === 0 || first !== "" || !usualEnds.has(last)) return false;
      for (const { spellings, joints: own, left } of supplies) {
        const isUsual =
          inner.every((joint) => own.has(joint) || usualJoints.has(joint)) &&
          parts.every((part) => spellings.has(part) || isUsualSpelling(part));
        if (!isUsual) continue;
        const rest = [...left];
        const hasAll = parts.every((part) => {
          const at = rest.indexOf(part.toLowerCase());
          if (at !== -1) rest.splice(at, 1);
          return at !== -1;
        });
        if (!hasAll) continue;
        left.splice(0, left.length, ...rest);
        return true;
      }
      return false;
    },
  };
}

/** In small letters, or with a capital at its beginning. */
function isUsualSpelling(part: string): boolean {
  return part.slice(1) === part.slice(1).toLowerCase();
}
