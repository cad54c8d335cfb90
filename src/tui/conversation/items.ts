import type { Block } from "../screen/block.ts";
import { AnswerBlock } from "../words/text-blocks.ts";

/** Something that a person browses to: a block with those that go on with it. */
export type Item = readonly [Block, ...Block[]];

/** The item that the block at an index belongs to; null where no item is. */
export function itemAt(blocks: readonly Block[], index: number): Item | null {
  const at = startOf(blocks, index);
  const head = blocks[at];
  if (head === undefined || !head.isItem) return null;
  const item: [Block, ...Block[]] = [head];
  for (let next = at + 1; next < blocks.length; next += 1) {
    const block = blocks[next];
    if (block?.continues(item.at(-1) ?? head) !== true) break;
    item.push(block);
  }
  return item;
}

function startOf(blocks: readonly Block[], index: number): number {
  const [above, block] = [blocks[index - 1], blocks[index]];
  return above !== undefined && block?.continues(above) === true ? startOf(blocks, index - 1) : index;
}

/** The next item from an index on, down or up; null where none is left. */
export function itemFrom(blocks: readonly Block[], index: number, step: 1 | -1): Item | null {
  for (let at = index; at >= 0 && at < blocks.length; at += step) {
    const item = itemAt(blocks, at);
    if (item !== null) return item;
  }
  return null;
}

/** The text of an item as it is copied. */
export function textOfItem(item: Item): string {
  const [head] = item;
  const isCode = head instanceof AnswerBlock && head.text !== head.source;
  return item.map(({ text }) => text).join(isCode ? "\n" : "\n\n");
}

/** The whole answer that a block belongs to, as it was written; null where it is no part of one. */
export function answerAround(blocks: readonly Block[], block: Block): string | null {
  if (!(block instanceof AnswerBlock)) return null;
  let from = blocks.indexOf(block);
  const belongs = (index: number): boolean => {
    const [above, one] = [blocks[index - 1], blocks[index]];
    return one instanceof AnswerBlock && above !== undefined && one.isOfAnswer(above);
  };
  while (belongs(from)) from -= 1;
  let to = from + 1;
  while (belongs(to)) to += 1;
  return blocks
    .slice(from, to)
    .flatMap((one) => (one instanceof AnswerBlock ? [one.source] : []))
    .join("\n\n");
}
