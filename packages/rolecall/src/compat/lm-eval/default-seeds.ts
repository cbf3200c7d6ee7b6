/** The seeds that lm-evaluation-harness sets by default: of `random`, numpy, torch and the few-shot examples. */
export const defaultSeeds: readonly number[] = [0, 1234, 1234, 1234]
