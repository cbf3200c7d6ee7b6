/** Whoever looks through all rows of a run gives others their turn after so many: about 10 ms of work. */
export const rowsAtOnce = 2000

/** Lets what came in meanwhile be answered: whoever scrolls does not wait for whoever counts. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
