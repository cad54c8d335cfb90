import type { Exclusion } from "./exclusions.ts";

/** One path that a command reads: its names (with dates, sizes, kinds) or its contents. `tree` includes everything below it. */
export type PathUse = {
  readonly path: string;
  readonly access: "names" | "contents";
  readonly tree: boolean;
};

/** What the grammar knows of a command: that it only reads, and what; or why that is in doubt. */
export type Proof =
  | {
      readonly harmless: true;
      readonly reads: readonly PathUse[];
      /** The words that really run: those given, plus the options that keep the program from running another one. */
      readonly argv: readonly string[];
      /** The reason, in words. */
      readonly why: string;
      /** How the program leaves files out of a search; absent if it searches no folder. */
      readonly exclusion?: Exclusion;
      /** Why it is harmless in the sandbox only; absent if it is harmless everywhere. */
      readonly onlyConfined?: string;
      /** The programs that it starts, which are proved as well; absent if it starts none. */
      readonly starts?: readonly string[];
      /** The folder that it runs in by an option of its own; absent where it runs in that of the line. */
      readonly folder?: string;
    }
  | { readonly harmless: false; readonly doubt: string };

/** The rule of one program: judges the words after its name. `name` has no folder. */
export type ProgramRule = (args: readonly string[], name: string) => Proof;

/** Judges the words of a command, its program included. */
export type Prove = (argv: readonly string[]) => Proof;

/** The rule of a program that starts another command, which `prove` judges. */
export type WrapperRule = (args: readonly string[], name: string, prove: Prove) => Proof;

/** There is no proof. The reason completes "because …". */
export function doubt(reason: string): Proof {
  return { harmless: false, doubt: reason };
}

/** The proof of a program that reads no file. */
export function printsOnly(
  name: string,
  args: readonly string[],
): Extract<Proof, { readonly harmless: true }> {
  return { harmless: true, reads: [], argv: [name, ...args], why: `${name} only prints` };
}
