/** Who wrote a stretch of text, and where it comes from. */
export type Source = {
  /**
   * `format`: the model's conversation format; `template`: the dataset's template; `field`: a value of a row;
   * `message`: a chat message; `tool`: a tool's schema or result; `model`: the model itself; `tokenizer`: BOS and the like.
   */
  by: 'format' | 'template' | 'field' | 'message' | 'tool' | 'model' | 'tokenizer'
  /** The place in the config or row: `prompt_template.template.round[0].prompt`, `question`, `meta_template.begin`. */
  path: string
  /** Set when the text belongs to an in-context example: its number, from 0. */
  example?: number
  /** Start and end of this stretch within the text at `path`. */
  span?: readonly [start: number, end: number]
}

type PieceBase = {
  source: Source
  /** The number of the turn it belongs to, counted over the whole prompt. */
  turn?: number
  /** The part of a message's content that it belongs to, if the content is a list of parts: its number, from 0. */
  part?: number
  /** Part of the text that the model must produce or that a label adds. */
  answer?: true
}

/**
 * Text and its origin. `control` text may contain the model's special tokens; in all other text they are ordinary characters. Formats write
 * control text, and so do authors of whole-prompt string templates, since only they can write the markers there. Text from rows, messages
 * and tools is never control text.
 */
export type TextPiece = PieceBase & { text: string; control: boolean }
/** Token ids given as ids, e.g. `begin: [92543]`. */
export type IdsPiece = PieceBase & { ids: readonly number[] }
/** Media of a message: what they are, and where they are (a URL, a data URI, or the id of a file at the server). */
export type Media = { kind: 'image' | 'audio' | 'video' | 'file'; url: string }
/** Media of a multimodal message. */
export type MediaPiece = PieceBase & { media: Media }

/** A part of a prompt that remembers who wrote it: text, token ids or media. */
export type Piece = TextPiece | IdsPiece | MediaPiece

/** A run of pieces: `start` is the first, `end` the one after the last. */
export type PieceRange = { start: number; end: number }

/** Text a format or a template's markers wrote: special tokens are recognised in it. */
export function control(text: string, source: Source): TextPiece {
  return { text, control: true, source }
}

/** Text in which special tokens are ordinary characters. */
export function plain(text: string, source: Source): TextPiece {
  return { text, control: false, source }
}
