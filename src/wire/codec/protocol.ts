/** The version of `WIRE.md` that is spoken here. */
export const wireProtocol = 1;

/** The kinds of clients that connect. */
export type ClientSource = "cli" | "tui" | "emacs";
