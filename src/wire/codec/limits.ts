/** What one peer may take of the process. The figures of `WIRE.md` where it has one. */
export type WireLimits = {
  /** Code points in a frame from a peer that has not proved itself. */
  readonly unprovedFrameCodePoints: number;
  /** Code points in a frame otherwise, in either direction; what is longer goes in parts. */
  readonly frameCodePoints: number;
  /** Milliseconds within which a frame that began is whole. */
  readonly frameMilliseconds: number;
  /** Milliseconds within which a peer proves itself or asks for health. */
  readonly proofMilliseconds: number;
  /** Milliseconds that a last word may take to reach a peer that reads no more. */
  readonly lingerMilliseconds: number;
  /** Bytes that wait for a slow reader before the chunks of a stream are dropped. */
  readonly chunkBytes: number;
  /** Bytes that wait for a slow reader before it is disconnected. */
  readonly queueBytes: number;
  /** Messages of one connection that are being handled before no more are read from it. */
  readonly concurrentMessages: number;
  /** Connections over the Unix socket before further ones are turned away. */
  readonly socketConnections: number;
  /** The same over the TCP port, which every user of the machine reaches: they are counted by themselves. */
  readonly portConnections: number;
};

/** The limits of the daemon and of our own clients. */
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
