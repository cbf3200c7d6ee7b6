import { PromptError } from '@rolecall/core/internal/errors'
import type { Piece } from '@rolecall/core/internal/text'

/** Refuses a prompt with media if the model only takes text: it would answer without seeing them. */
export function refuseMedia(pieces: readonly Piece[], reader: string): void {
  for (const piece of pieces) {
    if (!('media' in piece)) continue
    const { kind } = piece.media
    throw new PromptError('no-images', {
      where: piece.source.path,
      problem: `${reader} reads text, but this is ${kind === 'file' ? 'a file' : kind === 'video' ? 'a video' : kind === 'audio' ? 'audio' : 'an image'}`,
      fix: "leave it out, or ask a chat server that takes it (type: openai, format: 'messages')",
    })
  }
}
