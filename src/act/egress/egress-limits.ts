/** The limits of one command's connections. Times in milliseconds. */
export type EgressLimits = {
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Connections and requests in all, refused ones too. */
  readonly connections: number;
  /** Connections at the same time. */
  readonly together: number;
  /** Time for the headers of a request, and for a connection to a host. */
  readonly connectMilliseconds: number;
  /** Time without a byte in either direction. */
  readonly idleMilliseconds: number;
};

/** 256 MiB out, 1 GiB in, 1,000 connections, 64 at the same time, 10 s to connect, 60 s without a byte. */
export const defaultEgressLimits: EgressLimits = {
  sentBytes: 256 * 1024 * 1024,
  receivedBytes: 1024 * 1024 * 1024,
  connections: 1_000,
  together: 64,
  connectMilliseconds: 10_000,
  idleMilliseconds: 60_000,
};
