import { describe, expect, test } from 'vitest'
import { humanEvalCheck } from './humaneval-program.ts'

const row = { prompt: 'def add(a, b):\n', test: 'TEST', entry_point: 'add' }
const completion = (answer: string) => humanEvalCheck(row, answer).code.slice(row.prompt.length)
const whole = 'def add(a, b):\n    return a + b\n'

describe('the completion of a function', () => {
  test('is a code block, however its fence is written', () => {
    for (const fence of ['```', '```python', '``` python', '```python3.10', '```python title="add.py"', '```{.python}']) {
      expect(completion(`Sure!\n${fence}\n${whole}\`\`\`\nThat is it.`)).toBe(whole)
    }
    expect(completion(`Sure!\r\n\`\`\`python\r\n${whole.replaceAll('\n', '\r\n')}\`\`\`\r\n`)).toBe(whole)
  })

  test('is an unclosed block if the answer was truncated', () => {
    expect(completion(`Sure!\n\`\`\`python\n${whole}`)).toBe(whole)
    expect(completion(`Sure!\n\`\`\`\n${whole}`)).toBe(whole)
    expect(completion('```\nreturn a + b')).toBe('    return a + b')
  })

  test('is the text before a fence that was never opened', () => {
    expect(completion('    return a + b\n```\nIt adds them.')).toBe('    return a + b\n')
    expect(completion('return a + b\n```')).toBe('    return a + b\n')
  })

  test('is the block that defines the function, if there are several', () => {
    expect(completion(`\`\`\`bash\npip install x\n\`\`\`\n\`\`\`python\n${whole}\`\`\``)).toBe(whole)
    expect(completion(`\`\`\`python\nimport math\n\n${whole}\`\`\`\n\`\`\`\nadd(1, 2)\n\`\`\``)).toBe(`import math\n\n${whole}`)
  })

  test('is the last complete block that defines it, if the reply corrects itself', () => {
    const wrong = 'def add(a, b):\n    return a - b\n'
    const fenced = (code: string) => `\`\`\`python\n${code}\`\`\`\n`
    expect(completion(`${fenced(wrong)}Wait, that subtracts.\n${fenced(whole)}Now it adds.`)).toBe(whole)
    expect(completion(`${fenced(whole)}It is used so:\n${fenced('print(add(1, 2))\n')}`)).toBe(whole)
    // A block that was cut is not complete.
    expect(completion(`${fenced(whole)}Or:\n\`\`\`python\ndef add(a, b):\n    return`)).toBe(whole)
  })

  test('may be fenced by tildes', () => {
    expect(completion(`Sure!\n~~~python\n${whole}~~~\nThat is it.`)).toBe(whole)
    expect(completion(`~~~\n${whole}`)).toBe(whole)
    expect(completion('    return a + b\n~~~')).toBe('    return a + b\n')
  })

  test('is indented if its body starts at column 0, in a block or not', () => {
    const bodies: [written: string, indented: string][] = [
      ['return a + b', '    return a + b'],
      ['sum = a + b\nreturn sum', '    sum = a + b\n    return sum'],
      ['import math\nreturn math.fsum([a, b])', '    import math\n    return math.fsum([a, b])'],
      ['if a:\n    return a + b\n\nreturn b', '    if a:\n        return a + b\n\n    return b'],
      ['both = [\n    a,\n    b,\n]\nreturn sum(both)', '    both = [\n        a,\n        b,\n    ]\n    return sum(both)'],
    ]
    for (const [written, indented] of bodies) {
      expect(completion(written)).toBe(indented)
      expect(completion(`\`\`\`python\n${written}\n\`\`\``)).toBe(`${indented}\n`)
    }
  })

  test('gets its first line indented if only that line lost its indentation', () => {
    expect(completion('sum = a + b\n    return sum\n\n\ndef other():\n    pass')).toBe(
      '    sum = a + b\n    return sum\n\n\ndef other():\n    pass',
    )
    expect(completion('if a:\n        return a + b\n    return b')).toBe('    if a:\n        return a + b\n    return b')
    expect(completion('    return a + b\n')).toBe('    return a + b\n')
  })
})
