// Parses the Markdown that models write into data; the page renders its own elements, never HTML from a reply.

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'math'; tex: string }
  | { kind: 'strong' | 'emphasis'; content: readonly Inline[] }
  | { kind: 'link'; content: readonly Inline[]; url: string }

export type Block =
  | { kind: 'heading'; level: number; content: readonly Inline[] }
  | { kind: 'paragraph'; content: readonly Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'math'; tex: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: readonly (readonly Block[])[] }
  | { kind: 'quote'; content: readonly Block[] }
  | { kind: 'table'; heading: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { kind: 'rule' }

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*).*$/
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+)(.*)$/
const rule = /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const mathOpen = /^\s*(\$\$|\\\[)(.*)$/

/** Maximum nesting of lists and quotes; deeper levels stay text. */
const deepest = 8

/** Parses Markdown; anything else stays text, and only markup characters are dropped. */
export function parseMarkdown(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  const end = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', content: parseInline(paragraph.join('\n')) })
    paragraph = []
  }
  const add = (block: Block) => {
    end()
    blocks.push(block)
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const fenced = fence.exec(line)
    const headed = heading.exec(line)
    const maths = mathOpen.exec(line)
    if (fenced) {
      const close = lines.findIndex((one, index) => index > at && one.trim().startsWith(fenced[1]!))
      const last = close < 0 ? lines.length : close
      add({ kind: 'code', language: fenced[2]!, text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (line.trim() === '') end()
    else if (headed) add({ kind: 'heading', level: headed[1]!.length, content: parseInline(headed[2]!) })
    else if (rule.test(line)) add({ kind: 'rule' })
    else if (maths) {
      const read = displayMath(lines, at, maths[1] === '$$' ? '$$' : '\\]', maths[2]!)
      if (read) {
        add({ kind: 'math', tex: read.tex })
        at = read.last
      } else paragraph.push(line)
    } else if (/^ {0,3}>/.test(line) && depth < deepest) {
      const last = lastWhile(lines, at, (one) => /^ {0,3}>/.test(one))
      const inner = lines.slice(at, last + 1).map((one) => one.replace(/^ {0,3}> ?/, ''))
      add({ kind: 'quote', content: parseMarkdown(inner.join('\n'), depth + 1) })
      at = last
    } else if (item.test(line) && depth < deepest) {
      const { block, last } = readList(lines, at, depth)
      add(block)
      at = last
    } else if (line.includes('|') && tableRule.test(lines[at + 1] ?? '') && lines[at + 1]!.includes('-')) {
      const last = lastWhile(lines, at + 1, (one) => one.includes('|'))
      const cells = (one: string) => splitCells(one).map((cell) => parseInline(cell))
      add({ kind: 'table', heading: cells(line), rows: lines.slice(at + 2, last + 1).map(cells) })
      at = last
    } else paragraph.push(line)
  }
  end()
  return blocks
}

function displayMath(lines: readonly string[], at: number, close: string, rest: string): { tex: string; last: number } | undefined {
  const parts = [rest]
  for (let next = at + 1; next < lines.length && parts.length < mostMathLines && !parts.at(-1)!.includes(close); next++)
    parts.push(lines[next]!)
  const [before = '', behind] = parts.at(-1)!.split(close)
  if (behind === undefined || behind.trim() !== '') return undefined
  return { tex: [...parts.slice(0, -1), before].join('\n').trim(), last: at + parts.length - 1 }
}

/** Maximum length of a formula. */
const mostMathLines = 200

function lastWhile(lines: readonly string[], at: number, test: (line: string) => boolean): number {
  let last = at
  while (last + 1 < lines.length && test(lines[last + 1]!)) last++
  return last
}

/** A list item continues in lines indented to its text, and in empty lines before such lines. */
function readList(lines: readonly string[], from: number, depth: number): { block: Block; last: number } {
  const first = item.exec(lines[from]!)!
  const isOrdered = /\d/.test(first[2]!)
  const items: Block[][] = []
  let at = from
  while (at < lines.length) {
    const found = item.exec(lines[at]!)
    if (!found || /\d/.test(found[2]!) !== isOrdered || rule.test(lines[at]!)) break
    const indent = found[1]!.length + found[2]!.length + Math.min(found[3]!.length, 4)
    const own = [found[4]!]
    let next = at + 1
    for (; next < lines.length; next++) {
      const line = lines[next]!
      const spaces = /^ */.exec(line)![0].length
      if (line.trim() === '') {
        const after = lines[next + 1] ?? ''
        if (/^ */.exec(after)![0].length < Math.min(indent, 2) || after.trim() === '') break
      } else if (spaces < Math.min(indent, 2)) break
      own.push(line.slice(Math.min(spaces, indent)))
    }
    items.push(parseMarkdown(own.join('\n'), depth + 1))
    // A single empty line between items does not end a list.
    at = lines[next]?.trim() === '' && item.test(lines[next + 1] ?? '') ? next + 1 : next
    if (at === next && lines[next]?.trim() === '') break
  }
  return { block: { kind: 'list', isOrdered, start: isOrdered ? Number.parseInt(first[2]!, 10) : 1, items }, last: at - 1 }
}

function splitCells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Maximum distance between matching marks: a reply may contain thousands of unclosed ones. */
const inline =
  /(`+)([\s\S]{1,4000}?)\1(?!`)|\\\(([\s\S]{1,2000}?)\\\)|\\\[([\s\S]{1,2000}?)\\\]|\$\$([\s\S]{1,2000}?)\$\$|\$(?=\S)((?:[^$\\\n]|\\.){1,2000}?)(?<=\S)\$(?!\d)|(\*\*|__)(?=\S)([\s\S]{1,2000}?)(?<=\S)\7|(?<![\w*])\*(?=[^\s*])([^*\n]{1,2000}?)(?<=[^\s*])\*(?!\*)|\[([^\]\n]{1,500})\]\((https?:[^)\s]{1,2000})\)/g

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let last = 0
  for (const found of text.matchAll(inline)) {
    if (found.index > last) parts.push({ kind: 'text', text: text.slice(last, found.index) })
    last = found.index + found[0].length
    const [whole, , code, round, square, double, dollar, , strong, emphasis, linked, url] = found
    const tex = round ?? square ?? double ?? dollar
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (tex !== undefined) parts.push({ kind: 'math', tex: tex.trim() })
    else if (strong !== undefined) parts.push({ kind: 'strong', content: parseInline(strong) })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', content: parseInline(emphasis) })
    else if (linked !== undefined) parts.push({ kind: 'link', content: parseInline(linked), url: url! })
    else parts.push({ kind: 'text', text: whole })
  }
  if (last < text.length) parts.push({ kind: 'text', text: text.slice(last) })
  return parts
}
