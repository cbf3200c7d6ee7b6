/** How long the user-defined symbol at a place of a text is; 0 when none stands there. */
export type SymbolLength = (text: string, at: number) => number

/** Normalized text cut into pieces: the piece i is `ids[i]` and ends before the UTF-16 unit `ends[i]`; the next begins there. */
export type Segments = { ids: number[]; ends: number[] }

/** Cuts normalized text into pieces. Those that are unused or protected are cut further, as far as there are smaller ones. */
export type Encode = (text: string, symbolLength: SymbolLength | undefined, isProtected: ((id: number) => boolean) | undefined) => Segments
