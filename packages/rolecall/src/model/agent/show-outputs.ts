import type { CodeOutput } from './interpreter.ts'

/**
 * The outputs of code as the model sees them, as in a notebook: printed text, the last value, the error, and
 * images as document 004 writes them.
 *
 * @example
 * showOutputs([{ kind: 'text', stream: 'stdout', text: '5535\n' }]) // => '5535'
 * showOutputs([{ kind: 'image', mime: 'image/png', data: new Uint8Array(), path: 'plot-1.png' }]) // => '![image](plot-1.png)'
 */
export function showOutputs(outputs: readonly CodeOutput[]): string {
  let shown = ''
  for (const output of outputs) {
    const text = showOutput(output)
    // Printed text continues where it stopped; everything else starts a new line.
    shown += output.kind === 'text' || shown === '' || shown.endsWith('\n') ? text : `\n${text}`
    if (output.kind !== 'text') shown += '\n'
  }
  return shown.replace(/\n+$/, '')
}

function showOutput(output: CodeOutput): string {
  switch (output.kind) {
    case 'text':
    case 'value':
    case 'error':
      return output.text
    case 'note':
      return `[${output.text}]`
    case 'image':
      return `![image](${output.path})`
    case 'html':
      return `[html](${output.path})`
    default:
      return output satisfies never
  }
}
