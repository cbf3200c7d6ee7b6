import { strip } from '@rolecall/core/internal/python'
import { findAll, guardedPattern, search, substitute } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'

/** The blocks of code in an answer for LCBench; all of it if it has none. */
export function codeBlocks(answer: string): string[] {
  const literal = readLiteral(answer)
  const text = typeof literal === 'string' ? literal : answer
  const blocks = text.includes('```') ? fencedBlocks(text) : [text]
  return blocks.map((block) => withoutMarks(strip(block)))
}

function fencedBlocks(text: string): string[] {
  const inFences = (pattern: string) =>
    guardedPattern(pattern, { dotAll: true })
      .all(text)
      .map(({ groups }) => groups[0] ?? '')
  const python = inFences('```python\\s*(.*?)```')
  if (python.length > 0) return python
  const any = inFences('```(.*?)```')
  // The first line of a block may name its language.
  if (any.length > 0) return any.map((block) => (block.startsWith('\n') ? block : block.slice(block.indexOf('\n') + 1)))
  return [text.split('```')[1]!]
}

function withoutMarks(block: string): string {
  const done = search(String.raw`('\s*|)(\[DONE\]|DONE)`, block)
  const before = done ? block.slice(0, done.index) : block
  const begin = search(String.raw`(\[BEGIN\]|BEGIN)('\s*|)`, before)
  const code = strip(begin ? before.slice(begin.index + begin[0].length) : before)
  return code.replace(/^'/, '').replace(/'$/, '').replaceAll('\\', '')
}

/** Tests that call the methods of the answer's class Solution instead of functions. */
export function testsFor(code: string, tests: string): string {
  if (!code.includes('class Solution')) return tests
  const functions = new Set(findAll(String.raw`assert\s+(\w+)\(`, tests))
  return [...functions].reduce(
    (changed, name) => substitute(String.raw`(\bassert\s+)${name}\(`, (_, start) => `${start}Solution().${name}(`, changed),
    tests,
  )
}
