/**
 * How often a slow property is tried: a fifth of it at every `npm test`, all of it in CI. Every run draws other values, so that
 * a day of work tries more than one CI run does. `CI=1 npm test` is the full count on your own machine.
 */
export function propertyRuns(full: number): number {
  return process.env.CI ? full : Math.ceil(full / 5)
}
