import type { ComponentChildren } from 'preact'
import { visibleText } from '../../prompt/visible-text.tsx'

/** The lines of a source, and where each begins. */
export function linesOf(source: string): { text: string; start: number }[] {
  let at = 0
  return source.split('\n').map((text) => {
    const start = at
    at += text.length + 1
    return { text, start }
  })
}

const parts =
  /(\{[%{#]-?|-?[%}#]\})|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\b(if|elif|else|endif|for|in|endfor|set|endset|macro|endmacro|is|not|and|or|namespace|generation|endgeneration|true|false|none|defined)\b/g

/** A line of Jinja with its tags, texts and words in colour. */
export function colouredLine(text: string): ComponentChildren {
  const found: ComponentChildren[] = []
  let last = 0
  for (const match of text.matchAll(parts)) {
    if (match.index > last) found.push(visibleText(text.slice(last, match.index), false))
    const kind = match[1] !== undefined ? 'k' : match[2] !== undefined ? 's' : 'w'
    found.push(
      <span key={match.index} class={kind}>
        {visibleText(match[0], false)}
      </span>,
    )
    last = match.index + match[0].length
  }
  if (last < text.length || text === '') found.push(text === '' ? ' ' : visibleText(text.slice(last), false))
  return found
}
