/** The resources that one peer may use. Figures that `WIRE.md` names are taken from there. */
export type WireLimits = {
  /** Code points in a frame from a peer that has not proved itself. */
  readonly unprovedFrameCodePoints: number;
  /** Code points in any other frame, in either direction. A longer message is sent in parts. */
  readonly frameCodePoints: number;
  /** Milliseconds for a frame to arrive, from its first byte to its last. */
  readonly frameMilliseconds: number;
  /** Milliseconds for a peer to prove itself or ask for health. */
  readonly proofMilliseconds: number;
  /** Milliseconds for the last messages to be sent before a socket is closed. */
  readonly lingerMilliseconds: number;
  /** Bytes queued for a slow reader before the chunks of a stream are dropped. */
  readonly chunkBytes: number;
  /** Bytes queued for a slow reader before it is disconnected. */
  readonly queueBytes: number;
  /** Messages of one connection that are handled at the same time; more are not read until one is done. */
  readonly concurrentMessages: number;
  /** Connections over the Unix socket; more are refused. */
  readonly socketConnections: number;
  /** Connections over the TCP port. They are counted separately, because every user of the machine can open them. */
  readonly portConnections: number;
};

/** The limits of the daemon and of its own clients. */
export const wireLimits: WireLimits = {
  unprovedFrameCodePoints: 65_536,
  frameCodePoints: 16_777_215,
  frameMilliseconds: 30_000,
  proofMilliseconds: 5_000,
  lingerMilliseconds: 1_000,
  chunkBytes: 262_144,
  queueBytes: 8_388_608,
  concurrentMessages: 256,
  socketConnections: 4_096,
  portConnections: 1_024,
};
