import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Piece } from '../../base/text/index.ts'

/** Refuses a prompt with an image if the model only takes text: it would answer without seeing the image. */
export function refuseImages(pieces: readonly Piece[], reader: string): void {
  for (const piece of pieces) {
    if (!('image' in piece)) continue
    throw new PromptError('no-images', {
      where: piece.source.path,
      problem: `${reader} reads text, but this is an image`,
      fix: "leave the image out, or ask a chat server that takes images (type: openai, format: 'messages')",
    })
  }
}
