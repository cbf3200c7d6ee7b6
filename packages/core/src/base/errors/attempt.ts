import { PromptError } from './prompt-error.ts'

/** The result, or undefined if there is none because of a user's mistake, which is reported elsewhere. */
export function attempt<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
