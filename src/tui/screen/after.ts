/** Calls `act` after so many milliseconds, and gives what calls it off. A test moves the time by hand. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** The time of this machine. What waits keeps no process: the terminal does. */
export const realAfter: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
};
