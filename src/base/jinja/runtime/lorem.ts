import { Markup, type Value } from '../../python/values/value.ts'

const words =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua'.split(' ')

/** `lipsum`: filler text. Jinja2's is random; this one is always the same, so that a prompt stays reproducible. */
export function lorem(count: number, html: boolean): Value {
  const sentence = `${words[0]!.charAt(0).toUpperCase()}${words.join(' ').slice(1)}.`
  const paragraphs = Array.from({ length: Math.max(0, Math.min(count, 1000)) }, () => `${sentence} ${sentence}`)
  return html ? new Markup(paragraphs.map((text) => `<p>${text}</p>`).join('\n')) : paragraphs.join('\n\n')
}
