/** The version of the protocol of `WIRE.md`. */
export const wireProtocol = 1;

/** The kinds of clients that connect. */
export type ClientSource = "cli" | "tui" | "emacs";
