import { strip, stripStart } from '@rolecall/core/internal/python'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { findAll, guardedPattern } from '../../../python/regex/index.ts'
import { readLiteral } from '../../../python/syntax/literal.ts'

const between = (text: string, begin: string, end: string) => guardedPattern(`${begin}(.*?)${end}`, { dotAll: true }).first(text)?.groups[0]

export const cruxevalOutput = definePostprocessor({
  names: ['cruxeval_o_postprocess'],
  does: 'The first line, up to "# done".',
  example: { answer: "['a', 'b'] # done\nmore", becomes: "['a', 'b']" },
  process: (text) => strip(strip(text.split('# done')[0]!).split('\n')[0]!),
})

/** From outermost to innermost: an element, a Python block, any block, benchmark-specific marks. */
function ds1000Code(text: string): string {
  const wrappings = [
    ['<code>', '</code>'],
    ['```python', '```'],
    ['```', '```'],
    ['BEGIN SOLUTION', 'END SOLUTION'],
  ] as const
  return wrappings.reduce((code, [begin, end]) => between(code, begin, end) ?? code, text)
}

export const ds1000 = definePostprocessor({
  names: ['ds1000', 'ds1000_postprocess'],
  does: 'The code within <code>…</code>, a block of code, or BEGIN SOLUTION … END SOLUTION; all of the answer where there is none of them.',
  example: { answer: 'Here:\n```python\nx = 1\n```', becomes: '\nx = 1\n' },
  process: ds1000Code,
})

export const ds1000Completion = definePostprocessor({
  names: ['ds1000_completion', 'ds1000_completion_postprocess'],
  does: 'The code up to </code>.',
  example: { answer: 'x = 1</code>\nAnd so on', becomes: 'x = 1' },
  process: (text) => text.split('</code>')[0]!,
})

export const ds1000Matplotlib = definePostprocessor({
  names: ['ds1000_matplotlib', 'ds1000_matplotlib_postprocess'],
  does: 'The code as `ds1000` reads it, without the lines that show, save or close the figure.',
  example: { answer: '```\nplt.plot(x)\nplt.show()\n```', becomes: '\nplt.plot(x)\n' },
  process(text) {
    const closes = ['plt.show()', 'plt.clf()', 'plt.close()', 'savefig']
    const lines = ds1000Code(text).split('\n')
    return lines.filter((line) => !closes.some((phrase) => line.includes(phrase))).join('\n')
  },
})

/** The first code block without its language name, else the text after a mark that is never closed. */
function firstBlock(text: string): string {
  if (!text.includes('```')) return text
  const block = between(text, '```', '```')
  if (block === undefined) return text.split('```')[1]!
  return block.startsWith('\n') ? block : block.slice(block.indexOf('\n') + 1)
}

/** The text after the first line with "def", if the text begins with imports. */
function withoutImports(text: string): string {
  const definition = text.indexOf('def')
  if (!/^(?:from|import)/.test(strip(text)) || definition < 0) return text
  return text.slice(text.indexOf('\n', definition) + 1)
}

/** A function body has the indentation that the prompt expects, and ends at the first line indented less than its first. */
function functionBody(text: string): string {
  const lines = text.startsWith(' ') ? `    ${stripStart(text)}`.split('\n') : text.split('\n').map((line) => `    ${line}`)
  const isCode = (line: string) => !/^(?:$|['"#])/.test(strip(line))
  const depth = (line: string) => line.length - stripStart(line).length
  const first = lines.find(isCode)
  const end = first === undefined ? -1 : lines.findIndex((line) => isCode(line) && depth(line) < depth(first))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}

export const humanevalInternalV1 = definePostprocessor({
  names: ['humaneval_internal_v1_postprocess'],
  does: "The body of a function, indented: from the first block of code, without imports, empty lines, the line of its def, and what follows it. A Python string's content is taken for the answer.",
  example: { answer: '```python\ndef f(x):\n    return x\n\nprint(f(1))\n```', becomes: '    return x' },
  process(text) {
    const written = readLiteral(text)
    const code = withoutImports(firstBlock(stripStart(typeof written === 'string' ? written : text, '\n')))
    const lines = code.split('\n').filter((line) => line !== '')
    return functionBody((strip(code).startsWith('def') ? lines.slice(1) : lines).join('\n'))
  },
})

const codeBlocks = (text: string) => findAll('```\\w*\\n(.*?)```', text, { dotAll: true })

export const humanevalV2 = definePostprocessor({
  names: ['humaneval_postprocess_v2'],
  does: 'The first block of code, else the whole answer.',
  example: { answer: '```python\nreturn 1\n```', becomes: 'return 1\n' },
  process: (text) => stripStart(codeBlocks(text)[0] ?? text),
})

export const humanevalV3 = definePostprocessor({
  names: ['humaneval_postprocess_v3'],
  does: 'The last block of code, else the whole answer.',
  example: { answer: '```\na\n```\n```\nb\n```', becomes: 'b\n' },
  process: (text) => stripStart(codeBlocks(text).at(-1) ?? text),
})

export const humanevalInternalV2 = definePostprocessor({
  names: ['humaneval_internal_v2_postprocess'],
  does: 'The indented lines that complete a function.',
  example: { answer: '    return 1\n\nprint(2)', becomes: '    return 1\n' },
  process(text) {
    const indented = text.startsWith('   ') && !text.startsWith('    ') ? ` ${text}` : text
    const lines = indented.split('\n\n\n')[0]!.split('\n```')[0]!.split('\n')
    const end = lines.findIndex((line) => line !== '' && !line.startsWith(' '))
    return lines.slice(0, end < 0 ? lines.length : end).join('\n')
  },
})
