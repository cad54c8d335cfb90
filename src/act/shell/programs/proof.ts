/** One path that a command reads: its names (and dates, sizes, kinds), or its contents; `tree` means all below it too. */
export type PathUse = {
  readonly path: string;
  readonly access: "names" | "contents";
  readonly tree: boolean;
};

/** Whether a positive grammar knows that these words only read, and what they read. */
export type Proof =
  | {
      readonly harmless: true;
      readonly reads: readonly PathUse[];
      /** The words that are really run: those given, with the program's own ways to run others switched off. */
      readonly argv: readonly string[];
      readonly why: string;
    }
  | { readonly harmless: false; readonly doubt: string };

/** The rule of one program: judges the words after its name. `name` is the bare name. */
export type ProgramRule = (args: readonly string[], name: string) => Proof;

/** A refusal to vouch for a command, in words that complete "because …". */
export function doubt(reason: string): Proof {
  return { harmless: false, doubt: reason };
}
