import { PromptError } from '../../../base/errors/prompt-error.ts'

/** The prompt settings of an Ollama Modelfile. */
export type Modelfile = { template: string; system?: string; stops: readonly string[] }

/** Reads a Modelfile, or a bare template. */
export function readModelfile(text: string, where: string): Modelfile {
  const isModelfile = /^\s*(?:FROM|TEMPLATE|SYSTEM|PARAMETER)\s/im.test(text)
  if (!isModelfile) return { template: text, stops: [] }
  const instruction = (name: string) =>
    [...text.matchAll(new RegExp(`^\\s*${name}\\s+(?:"""([\\s\\S]*?)"""|"((?:[^"\\\\\\n]|\\\\.)*)"|([^\\n]*))`, 'gim'))].map(
      ([, block, quoted, bare]) => block ?? quoted ?? bare?.trim() ?? '',
    )
  const [template] = instruction('TEMPLATE')
  if (template === undefined)
    throw new PromptError('no-template', {
      where,
      problem: 'the Modelfile has no TEMPLATE',
      fix: 'give one that has: `ollama show MODEL --modelfile` prints it',
    })
  const [system] = instruction('SYSTEM')
  const stops = instruction('PARAMETER').flatMap((one) => {
    const stop = /^stop\s+(.*)$/.exec(one)?.[1]
    return stop === undefined ? [] : [unquoted(stop)]
  })
  return { template, ...(system === undefined ? {} : { system }), stops }
}

function unquoted(text: string): string {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text
  } catch {
    return text
  }
}
