/** The stream that a chunk belongs to. A session has one turn at a time. */
export type Stream = { readonly session: string; readonly turn: string };

/** Frames that wait for a reader, oldest first. */
export type SendQueue = {
  /** Takes frames that must arrive, as one; false where too much waits already. */
  readonly add: (frames: readonly Uint8Array[]) => boolean;
  /** Takes a chunk of a stream. Where too much waits, the stream's chunks that wait are replaced by its withdrawal, and later ones are dropped until it is over. */
  readonly addChunk: (stream: Stream, frame: Uint8Array, withdrawal: () => Uint8Array) => void;
  /** The stream was answered or withdrawn: a new one of this session is taken again. */
  readonly endStream: (session: string) => void;
  /** The next bytes to write, whole frames; null where none wait. */
  readonly take: () => Uint8Array | null;
  readonly clear: () => void;
};

type Entry = { readonly frame: Uint8Array; readonly stream: Stream | null };

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
    add: (frames) => {
      if (bytes > bounds.queueBytes) return false;
      for (const frame of frames) put({ frame, stream: null });
      return true;
    },
    addChunk: (stream, frame, withdrawal) => {
      if (dropped.get(stream.session) === stream.turn) return;
      if (bytes + frame.length <= bounds.chunkBytes) {
        dropped.delete(stream.session);
        put({ frame, stream });
        return;
      }
      keep(entries.filter((entry) => !isOf(entry, stream)));
      dropped.set(stream.session, stream.turn);
      put({ frame: withdrawal(), stream: null });
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
      return batch.length === 1 ? first.frame : Buffer.concat(batch.map(({ frame }) => frame));
    },
    clear: () => keep([]),
  };
}

function sizeOf(entry: Entry): number {
  return entry.frame.length + overhead;
}

function isOf({ stream }: Entry, { session, turn }: Stream): boolean {
  return stream?.session === session && stream.turn === turn;
}
