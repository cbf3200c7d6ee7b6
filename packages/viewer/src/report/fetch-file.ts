import { PromptError } from '@rolecall/core/internal/errors'
import { reportTexts } from '../texts/report.ts'

/** Reads a file of the site from its script element in the page, on demand. */
export async function fetchFile(path: string): Promise<Response> {
  const element = document.querySelector(`script[data-file="${CSS.escape(path)}"]`)
  if (!element)
    throw new PromptError('not-in-report', { where: path, problem: reportTexts().notInReport, fix: reportTexts().notInReportFix })
  const text = element.textContent ?? ''
  return new Response(element.hasAttribute('data-base64') ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : text)
}
