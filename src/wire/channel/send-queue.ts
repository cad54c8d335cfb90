/** The stream that a chunk belongs to. A session has one turn at a time. */
export type StreamKey = { readonly session: string; readonly turn: string };

/** Bytes to write, and whom to tell once they are written. */
export type WriteBatch = { readonly bytes: Uint8Array; readonly written: readonly (() => void)[] };

/** Frames that wait for a reader, oldest first. */
export type SendQueue = {
  /** Takes frames that must arrive, as one; false where too much waits already. `written` belongs to the last of them. */
  readonly add: (frames: readonly Uint8Array[], written?: () => void) => boolean;
  /** Takes a chunk of a stream. Where too much waits, the stream's chunks that wait are replaced by its withdrawal, and later ones are dropped until it is over. */
  readonly addChunk: (stream: StreamKey, frame: Uint8Array, withdrawal: () => Uint8Array) => void;
  /** The stream was answered or withdrawn: a new one of this session is taken again. */
  readonly endStream: (session: string) => void;
  /** The next whole frames to write; null where none wait. */
  readonly take: () => WriteBatch | null;
  readonly clear: () => void;
};

type Entry = {
  readonly frame: Uint8Array;
  readonly stream: StreamKey | null;
  readonly written: (() => void) | null;
};

/** What an entry takes beside its frame, so that many small ones are bounded too. Bytes. */
const overhead = 128;
/** Small frames are written together up to so many bytes. */
const together = 65_536;

/** A queue that holds at most its bound and one message more. */
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
      for (let size = 0; count < entries.length && size < together; count += 1) {
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
