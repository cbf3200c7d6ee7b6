/** Whether scores are shares, which are shown as points of a hundred. */
export function isShare({ first, second }: { first: { score?: number }; second: { score?: number } }): boolean {
  return [first.score, second.score].every((score) => score === undefined || (score >= 0 && score <= 1))
}
