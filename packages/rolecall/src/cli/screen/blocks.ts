/** What colours say; without them words, signs and places say the same. */
export type Tone = 'good' | 'bad' | 'attention' | 'quiet' | 'strong'

/** A cell: its text, and a mark that stands in a column of its own behind it. */
export type Cell = { text: string; tone?: Tone; mark?: string }

export type ScreenColumn = {
  title?: string
  /** A second line of the title. */
  subtitle?: string
  isNumber?: boolean
  /** Left out where there is no room, e.g. a bar. */
  mayDrop?: boolean
  /** Names are shortened in the middle where there is no room. */
  mayShorten?: boolean
  /** Sentences are cut at their end where there is no room. */
  mayCut?: boolean
}

/** A line of cells, or a text below the first column. */
export type ScreenRow = { cells: readonly Cell[] } | { below: string }

export type Grid = { kind: 'grid'; columns: readonly ScreenColumn[]; rows: readonly ScreenRow[] }

/** What a screen consists of, from top to bottom. Blocks are parted by a blank line. */
export type ScreenBlock =
  /** Text that is broken between words. */
  | { kind: 'prose'; text: string; tone?: Tone }
  /** Parts that stay whole: `qa · 300 rows · accuracy %`. */
  | { kind: 'parts'; parts: readonly string[]; tone?: Tone }
  /** Texts behind a label; `gap`: the blanks between them, two by default. */
  | { kind: 'label'; label: string; tone: Tone; texts: readonly string[]; gap?: number }
  | Grid
  /** Blocks that stand this many columns to the right. */
  | { kind: 'indented'; by: number; blocks: readonly ScreenBlock[] }
  /** What has a layout of its own, such as a prompt: its lines for a width, coloured and escaped. */
  | { kind: 'drawn'; draw: (width: number) => readonly string[] }
  /** Blocks without blank lines between them. */
  | { kind: 'group'; blocks: readonly ScreenBlock[] }
  /** The same facts in several forms: the first that fits, else the last. */
  | { kind: 'forms'; forms: readonly ScreenBlock[] }

/** A command to continue with, and what it shows. */
export type NextStep = { command: string; shows?: string }
