/** The class for how surprising a token was: ten steps, the last for 9 and more. Colours are in the style sheet. */
export function heatOf(surprise: number | null | undefined): string {
  return typeof surprise === 'number' ? `heat-${Math.max(0, Math.min(9, Math.floor(surprise)))}` : ''
}
