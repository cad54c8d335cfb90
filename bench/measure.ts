/** Milliseconds of one piece of work: by the clock, and of this thread's CPU, which other programs do not lengthen so much. */
export type Taken = { readonly wall: number; readonly cpu: number };

/** Measures one piece of work. */
export async function take(work: () => Promise<unknown>): Promise<Taken> {
  settle();
  const [before, start] = [process.threadCpuUsage(), performance.now()];
  await work();
  const wall = performance.now() - start;
  settle();
  const { user, system } = process.threadCpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

/** Sleeps for a moment: the kernel brings the CPU time of a thread up to date when it stops, else only every few milliseconds. */
function settle(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.01);
}

/** Measures a piece of work several times. */
export async function takeOften(rounds: number, work: (round: number) => Promise<unknown>): Promise<Taken[]> {
  const all: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await take(() => work(round)));
  return all;
}

/** What a share of the measurements stays below, each kind by itself. */
export function share(all: readonly Taken[], part: number): Taken {
  const at = (times: readonly number[]): number =>
    times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * part)] ?? 0;
  return { wall: at(all.map(({ wall }) => wall)), cpu: at(all.map(({ cpu }) => cpu)) };
}
