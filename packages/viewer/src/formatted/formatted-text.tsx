import { type PyValue, parseJson, stringifyJson } from '@rolecall/core/internal/python'
import { type ComponentChildren, h } from 'preact'
import { useMemo } from 'preact/hooks'
import { visibleText } from '../prompt/visible-text.tsx'
import { markText } from './mark-text.tsx'
import { type Block, type Inline, parseMarkdown } from './markdown.ts'
import { type MarkedRange, moveMark, withMark, withoutMark } from './marked-range.ts'
import { type ShownAs, shownAs } from './shown-as.ts'
import { type MathNode, parseTex } from './tex.ts'

type FormattedTextProps = { text: string; as?: ShownAs /** What was extracted from it. */; mark?: MarkedRange | undefined }

/** Renders a text by kind: JSON formatted, Markdown and formulas rendered; otherwise plain. */
export function FormattedText({ text, as = shownAs(text), mark }: FormattedTextProps) {
  const blocks = useMemo(() => (as === 'markdown' ? markedBlocks(text, mark) : []), [text, as, mark])
  if (as === 'json') {
    const laidOut = layOut(text)
    return <pre class="text laid-out">{markText(withMark(laidOut, moveMark(text, mark, laidOut)))}</pre>
  }
  if (as === 'plain') return <pre class="text">{markText(withMark(text, mark))}</pre>
  return (
    <div class="markdown" dir="auto">
      <Blocks blocks={blocks} />
    </div>
  )
}

/** Parsed Markdown with a mark, unless the mark would change how it is parsed. */
function markedBlocks(text: string, mark: MarkedRange | undefined): Block[] {
  const [plain, marked] = [parseMarkdown(text), parseMarkdown(withMark(text, mark))]
  return withoutMark(JSON.stringify(marked)) === JSON.stringify(plain) ? marked : plain
}

function layOut(text: string): string {
  return stringifyJson(parseJson(text) as PyValue, { ensureAscii: false, indent: 2 })
}

function Blocks({ blocks }: { blocks: readonly Block[] }): ComponentChildren {
  return blocks.map((block, index) => <BlockView key={index} block={block} />)
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <p class={`heading level-${block.level}`}>{inlines(block.content)}</p>
    case 'paragraph':
      return <p>{inlines(block.content)}</p>
    case 'code':
      return <pre class="code">{markText(block.text)}</pre>
    case 'math':
      return <div class="display-math">{mathView(block.tex)}</div>
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.content} />
        </blockquote>
      )
    case 'rule':
      return <hr />
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Blocks blocks={item} />
        </li>
      ))
      return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return (
        <div class="table-box">
          <table class="figures">
            <thead>
              <tr>
                {block.heading.map((cell, index) => (
                  <th key={index}>{inlines(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, place) => (
                    <td key={place}>{inlines(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    default:
      return block satisfies never
  }
}

function inlines(content: readonly Inline[]): ComponentChildren {
  return content.map((one, index) => {
    switch (one.kind) {
      case 'text':
        return markText(one.text)
      case 'code':
        return <code key={index}>{markText(one.text)}</code>
      case 'math':
        return <span key={index}>{mathView(one.tex)}</span>
      case 'strong':
        return <strong key={index}>{inlines(one.content)}</strong>
      case 'emphasis':
        return <em key={index}>{inlines(one.content)}</em>
      case 'link':
        // Links in replies are not clickable: the URL is shown.
        return (
          <span key={index}>
            {inlines(one.content)} <span class="quiet">({visibleText(withoutMark(one.url), false)})</span>
          </span>
        )
      default:
        return one satisfies never
    }
  })
}

function mathView(marked: string): ComponentChildren {
  const tex = withoutMark(marked)
  const node = parseTex(tex)
  return node ? <span title={tex}>{element(node)}</span> : <code>{visibleText(tex, false)}</code>
}

function element({ tag, attributes, children }: MathNode): ComponentChildren {
  return h(tag, { ...attributes }, ...children.map((child) => (typeof child === 'string' ? child : element(child))))
}
