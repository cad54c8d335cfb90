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
  const [head, ...more] = item;
  return [
    head.text,
    ...more.flatMap((block) => [block instanceof AnswerBlock ? block.joint : "\n\n", block.text]),
  ].join("");
}

/** The whole answer that a block belongs to, as it was written; null where it is no part of one. */
export function answerAround(block: Block): string | null {
  return block instanceof AnswerBlock ? block.answer.text.replaceAll(/^\n+|\s+$/g, "") : null;
}
