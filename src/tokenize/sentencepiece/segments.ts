/** Normalized text cut into pieces: the piece i is `ids[i]` and ends before the UTF-16 unit `ends[i]`; the next begins there. */
export type Segments = { ids: number[]; ends: number[] }

/** Cuts normalized text into pieces; those that are avoided are cut further, where the vocabulary has smaller ones. */
export type Encode = (
  text: string,
  symbolLength: ((text: string, at: number) => number) | undefined,
  isAvoided: (id: number) => boolean,
) => Segments
