import { PromptError } from '../../../src/base/errors/prompt-error.ts'
import { reportWords } from '../words/report.ts'

/** A file of the site, from within the page: each lies in a script element of its own, and is read when it is wanted. */
export async function fetchFile(path: string): Promise<Response> {
  const element = document.querySelector(`script[data-file="${CSS.escape(path)}"]`)
  if (!element)
    throw new PromptError('not-in-report', { where: path, problem: reportWords().notInReport, fix: reportWords().notInReportFix })
  const text = element.textContent ?? ''
  return new Response(element.hasAttribute('data-base64') ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : text)
}
