/** What keeps an archive from being unpacked, in words that go on from `it cannot be used: `. */
export class ArchiveProblem extends Error {}
