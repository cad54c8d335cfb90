/** The stream of a chunk. A session has one turn at a time. */
export type StreamKey = { readonly session: string; readonly turn: string };

/** Bytes to write, with the callbacks for when they are written. */
export type WriteBatch = { readonly bytes: Uint8Array; readonly written: readonly (() => void)[] };

/** Frames that wait to be sent, oldest first. */
export type SendQueue = {
  /** Adds the frames of one message, which must arrive; false if the queue is full. `written` is called after the last of them. */
  readonly add: (frames: readonly Uint8Array[], written?: () => void) => boolean;
  /** Adds a chunk of a stream. If the queue is full, the queued chunks of the stream are replaced by its withdrawal, and later chunks are dropped until the stream ends. */
  readonly addChunk: (stream: StreamKey, frame: Uint8Array, withdrawal: () => Uint8Array) => void;
  /** The stream was answered or withdrawn: chunks of the session's next stream are accepted again. */
  readonly endStream: (session: string) => void;
  /** Removes the next whole frames to write; null if the queue is empty. */
  readonly take: () => WriteBatch | null;
  readonly clear: () => void;
};

type Entry = {
  readonly frame: Uint8Array;
  readonly stream: StreamKey | null;
  readonly written: (() => void) | null;
};

/** Bytes that an entry counts besides its frame, so that many small frames are bounded too. */
const overhead = 128;
/** Small frames are written together up to this many bytes. */
const batchBytes = 65_536;

/** Makes a queue that holds at most one message more than its bounds. */
export function makeSendQueue(bounds: {
  readonly chunkBytes: number;
  readonly queueBytes: number;
}): SendQueue {
  let entries: Entry[] = [];
  let bytes = 0;
  const dropped = new Map<string, string>();

  const put = (entry: Entry): void => {
    entries.push(entry);
    bytes += sizeOf(entry);
  };
  const keep = (kept: Entry[]): void => {
    entries = kept;
    bytes = kept.reduce((sum, entry) => sum + sizeOf(entry), 0);
  };

  return {
    add: (frames, written) => {
      if (bytes > bounds.queueBytes) return false;
      for (const [index, frame] of frames.entries()) {
        put({ frame, stream: null, written: index === frames.length - 1 ? (written ?? null) : null });
      }
      return true;
    },
    addChunk: (stream, frame, withdrawal) => {
      if (dropped.get(stream.session) === stream.turn) return;
      if (bytes + frame.length <= bounds.chunkBytes) {
        dropped.delete(stream.session);
        put({ frame, stream, written: null });
        return;
      }
      keep(entries.filter((entry) => !isOf(entry, stream)));
      dropped.set(stream.session, stream.turn);
      put({ frame: withdrawal(), stream: null, written: null });
    },
    endStream: (session) => dropped.delete(session),
    take: () => {
      let count = 0;
      for (let size = 0; count < entries.length && size < batchBytes; count += 1) {
        size += entries[count]?.frame.length ?? 0;
      }
      const batch = entries.splice(0, count);
      for (const entry of batch) bytes -= sizeOf(entry);
      const [first] = batch;
      if (first === undefined) return null;
      return {
        bytes: batch.length === 1 ? first.frame : Buffer.concat(batch.map(({ frame }) => frame)),
        written: batch.flatMap(({ written }) => (written === null ? [] : [written])),
      };
    },
    clear: () => keep([]),
  };
}

function sizeOf(entry: Entry): number {
  return entry.frame.length + overhead;
}

function isOf({ stream }: Entry, { session, turn }: StreamKey): boolean {
  return stream?.session === session && stream.turn === turn;
}
