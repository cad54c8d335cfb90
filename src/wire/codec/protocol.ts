/** The version of `WIRE.md` that is spoken here. */
export const wireProtocol = 1;
