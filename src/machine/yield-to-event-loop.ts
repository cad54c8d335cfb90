import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which other tasks get a turn. */
const longestSlice = 8;

/** Takes all steps of a long piece of work; other tasks run in between. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  const yieldToEventLoop = makeEventLoopYield();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const wait = yieldToEventLoop();
    if (wait !== null) await wait;
  }
}

/** Makes a list of the items of another; other tasks run in between. */
export async function mapInSlices<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made | Promise<Made>,
): Promise<readonly Made[]> {
  const yieldToEventLoop = makeEventLoopYield();
  const made: Made[] = [];
  for (const item of items) {
    made.push(await make(item));
    const wait = yieldToEventLoop();
    if (wait !== null) await wait;
  }
  return made;
}

/** Makes a function for long loops to call often: once a slice of work is used up it returns a promise to wait for, so that other tasks run; before that it returns null. */
export function makeEventLoopYield(): () => Promise<void> | null {
  const slice = { startedAt: performance.now() };
  return () => {
    if (performance.now() - slice.startedAt < longestSlice) return null;
    return setImmediate().then(() => {
      slice.startedAt = performance.now();
    });
  };
}
