/**
 * The final answer of a model as plain text: without reasoning, emphasis, headings and LaTeX's commands for letters.
 * Empty if the reply was cut inside its reasoning. `\boxed{…}` stays: it marks an answer.
 *
 * @example
 * plainAnswer('<think>A?</think>\n### Answer\n**\\text{B}**') // => 'Answer\nB'
 */
export function plainAnswer(text: string): string {
  return withoutMarkup(withoutThoughts(text)).trim()
}

const thoughtEnd = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]|◁\/think▷/g
const thoughtStart = /<(?:think|thinking|thought|reasoning)>|\[THINK\]|◁think▷/

/** A reply may be cut before its reasoning ends. */
export function withoutThoughts(text: string): string {
  const end = [...text.matchAll(thoughtEnd)].at(-1)
  const spoken = end ? text.slice(end.index + end[0].length) : text
  const [before = ''] = spoken.split(thoughtStart, 1)
  return before
}

/** The full-width comma stays: in Chinese it separates clauses, not items. */
const fullWidth = /[！-＋－-～]/g
const wordCommands =
  /\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|rm|sf|tt|it)|mbox|operatorname\*?|emph|underline)\s*\{((?:\\[{}]|[^{}])*)\}/g

/** The same words without Markdown, HTML and LaTeX markup. */
export function withoutMarkup(text: string): string {
  return (
    text
      .replace(fullWidth, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
      .replace(/<\|[^|<>]{1,30}\|>|<\/s>/g, '')
      .replace(wordCommands, '$1')
      .replace(wordCommands, '$1')
      // Thousands separators in formulas are `{,}` and `\,`.
      .replace(/\{,\}/g, ',')
      .replace(/\\[!,;:]/g, '')
      .replace(/\\([%$#&])/g, '$1')
      .replace(/\\[()[\]]|\\q?quad\b|\\displaystyle\b/g, ' ')
      .replace(/<\/?(?:b|i|u|em|strong|mark|center|p|span|div)\s*>|<br\s*\/?>/gi, ' ')
      .replace(/\*\*|__|`|\u200b|\$(?!\s*-?\.?\d)/g, '')
      .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,200}?)\*(?![\w*])/g, '$1')
      .replace(/^[ \t]*#{1,6}[ \t]+/gm, '')
      .replace(/[−–](?=\d)/g, '-')
  )
}

/** The content and position of each `\boxed{…}`; nested braces are part of it. */
export function boxedParts(text: string): { at: number; end: number; said: string }[] {
  const found: { at: number; end: number; said: string }[] = []
  for (const match of text.matchAll(/\\(?:boxed|fbox)\s*\{/g)) {
    const start = match.index + match[0].length
    let depth = 1
    let end = start
    while (end < text.length && depth > 0) {
      // An escaped brace is an ordinary character.
      if (text[end] === '\\') end++
      else if (text[end] === '{') depth++
      else if (text[end] === '}') depth--
      end++
    }
    if (depth === 0)
      found.push({
        at: match.index,
        end,
        said: text
          .slice(start, end - 1)
          .trim()
          .replace(/\\([{}])/g, '$1'),
      })
  }
  return found
}
