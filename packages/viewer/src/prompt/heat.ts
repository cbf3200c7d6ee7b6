/** The class for a token's surprise: ten steps, the last for 9 and more. Colours are in the style sheet. */
export function heatOf(surprise: number | null | undefined): string {
  return typeof surprise === 'number' ? `heat-${Math.max(0, Math.min(9, Math.floor(surprise)))}` : ''
}
