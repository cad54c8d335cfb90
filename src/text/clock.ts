/** The only source of time: Unix milliseconds. */
export type Clock = () => number;

/** Resolves after so many milliseconds, or as soon as it is cancelled. Never rejects. */
export type Wait = (milliseconds: number, cancel: AbortSignal) => Promise<void>;
