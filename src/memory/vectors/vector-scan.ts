/** A row that is near a vector. `row` counts from 0 in the order of adding. */
export type ScanHit = { readonly row: number; readonly score: number };

/** The nearest rows, best first, with the mean and the standard deviation of the scores of all rows. */
export type ScanResult = {
  readonly hits: readonly ScanHit[];
  readonly mean: number;
  readonly deviation: number;
};

/** Vectors for a linear search, with one byte for each component: 100,000 vectors of 384 components take 38 MB. */
export type VectorScan = {
  /** Adds a vector as a new row. It must have the dimensions of the scan. */
  readonly add: (vector: Float32Array) => void;
  readonly count: () => number;
  /** The nearest rows by cosine, to the precision of a byte. It yields to the event loop between slices. */
  readonly nearest: (query: Float32Array, limit: number) => Promise<ScanResult>;
};

/** Rows that are compared between two yields, a few milliseconds. */
const slice = 10_000;
const largestByte = 127;

/** Makes an empty scan. */
export function makeVectorScan(dimensions: number, yieldToEventLoop: () => Promise<void> | null): VectorScan {
  let bytes = new Int8Array(dimensions * 64);
  const scales: number[] = [];
  return {
    add(vector) {
      const at = scales.length * dimensions;
      if (at + dimensions > bytes.length) {
        const larger = new Int8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      const largest = largestOf(vector);
      const factor = largest === 0 ? 0 : largestByte / largest;
      for (let index = 0; index < dimensions; index += 1) {
        bytes[at + index] = Math.round((vector[index] ?? 0) * factor);
      }
      const length = lengthOf(vector);
      scales.push(length === 0 || factor === 0 ? 0 : 1 / (factor * length));
    },
    count: () => scales.length,
    async nearest(query, limit) {
      const length = lengthOf(query);
      if (length === 0 || query.length !== dimensions || limit < 1)
        return { hits: [], mean: 0, deviation: 0 };
      const best: ScanHit[] = [];
      let [sum, squares] = [0, 0];
      for (let from = 0; from < scales.length; from += slice) {
        const until = Math.min(from + slice, scales.length);
        for (let row = from; row < until; row += 1) {
          const score = (dot(bytes, row * dimensions, query) * (scales[row] ?? 0)) / length;
          sum += score;
          squares += score * score;
          if (best.length < limit || score > (best.at(-1)?.score ?? 0)) insert(best, { row, score }, limit);
        }
        await yieldToEventLoop();
      }
      const mean = sum / Math.max(1, scales.length);
      const variance = squares / Math.max(1, scales.length) - mean * mean;
      return { hits: best, mean, deviation: Math.sqrt(Math.max(0, variance)) };
    },
  };
}

/** The cosine of two vectors; 0 if one is zero or their lengths differ. */
export function cosine(one: Float32Array, other: Float32Array): number {
  const lengths = lengthOf(one) * lengthOf(other);
  if (lengths === 0 || one.length !== other.length) return 0;
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / lengths;
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** The dot product, as four sums that the processor computes in parallel. */
function dot(bytes: Int8Array, at: number, query: Float32Array): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  const whole = query.length - (query.length % 4);
  for (let index = 0; index < whole; index += 4) {
    one += (bytes[at + index] ?? 0) * (query[index] ?? 0);
    two += (bytes[at + index + 1] ?? 0) * (query[index + 1] ?? 0);
    three += (bytes[at + index + 2] ?? 0) * (query[index + 2] ?? 0);
    four += (bytes[at + index + 3] ?? 0) * (query[index + 3] ?? 0);
  }
  for (let index = whole; index < query.length; index += 1) {
    one += (bytes[at + index] ?? 0) * (query[index] ?? 0);
  }
  return one + two + three + four;
}

/** Inserts a hit in order, best first; among equals the earlier one stays first. */
function insert(best: ScanHit[], found: ScanHit, limit: number): void {
  let at = best.length;
  while (at > 0 && (best[at - 1]?.score ?? 0) < found.score) at -= 1;
  best.splice(at, 0, found);
  if (best.length > limit) best.pop();
}
