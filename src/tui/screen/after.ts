/** Calls `act` after so many milliseconds, and gives what calls it off. A test moves the time by hand. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** The time of this machine. */
export const realAfter: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};
