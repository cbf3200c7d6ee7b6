import { PromptError } from '../../../src/base/errors/prompt-error.ts'
import { partWords } from '../words/parts.ts'

/** A file of the site: from the server, or from beside the page in an exported one. A report in one file has `report/fetch-file.ts` instead. */
export function fetchFile(path: string, signal?: AbortSignal): Promise<Response> {
  return fetch(path, signal ? { signal } : {}).catch((error: unknown) => {
    if ((error as Error).name === 'AbortError') throw error
    throw new PromptError('no-answer', { where: path, problem: partWords().noAnswer, fix: partWords().noAnswerFix })
  })
}
