import { PromptError } from '@rolecall/core/internal/errors'
import { partTexts } from '../texts/parts.ts'

/** Fetches a file of the site from the server, or from beside an exported page. Single-file reports use `report/fetch-file.ts`. */
export function fetchFile(path: string, signal?: AbortSignal, options: RequestInit = {}): Promise<Response> {
  return fetch(path, { ...options, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
    if ((error as Error).name === 'AbortError') throw error
    throw new PromptError('no-answer', { where: path, problem: partTexts().noAnswer, fix: partTexts().noAnswerFix })
  })
}
