/** Things on the disk while something runs; what is left of a killed agent is taken up by the next one. */
export type KeptItems<Item> = {
  /** Resolves to the id by which it is dropped. */
  readonly keep: (item: Item) => Promise<string>;
  readonly drop: (id: string) => Promise<void>;
  readonly all: () => Promise<readonly { readonly id: string; readonly item: Item }[]>;
};
