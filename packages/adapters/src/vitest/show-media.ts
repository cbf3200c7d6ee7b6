import type { MediaPiece } from '@rolecall/core'

/** An image, a sound or a video in a printed prompt. */
export function showMedia({ media }: MediaPiece): string {
  return `[${media.kind}]`
}
