/** The only source of time. Unix milliseconds. */
export type Clock = () => number;
