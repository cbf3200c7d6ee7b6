import type { MessageLoop } from './message-loops.ts'

/** Whether a chat switches thinking: not at all, on, or off. */
export type ThinkingSwitch = 'unset' | 'on' | 'off'

/** What a generation prompt adds to the history, and in which chats. */
export type TurnOpening = { text: string; when: ReadonlySet<ThinkingSwitch> }

/** How the model's part of a written turn is found: behind one of its openings, through the last end marker. */
export type TurnShape = {
  /** What a generation prompt adds to the history. */
  openings: readonly TurnOpening[]
  /** The variable that switches thinking, if the template has one. */
  thinking?: string | undefined
  /** The token that ends a turn; without it, the text of the turn. */
  marker?: string | undefined
  /** What counts as the end: the last marker, or the end of the turn's text without white space or with it. */
  until: 'marker' | 'text' | 'all'
}

/**
 * Puts `{% generation %}` around what the model writes: the body of a loop over messages is kept in a variable, and written in three parts. What the
 * template says about a message stays as it is.
 */
export function markGeneration(source: string, loops: readonly MessageLoop[], shape: TurnShape): string {
  let marked = source
  for (const { body, message, opens, closes } of loops.toSorted((one, other) => other.body[0] - one.body[0])) {
    const [start, end] = body
    const inner = marked.slice(start, end)
    marked = [
      marked.slice(0, start),
      `{% set generation_turn ${opens}%}`,
      inner,
      `{%${closes} endset %}`,
      written(message, shape),
      // White space in front of it would now be written.
      `{%${marked.slice(end + 2 + closes.length)}`,
    ].join('')
  }
  return marked
}

function written(message: string, { openings, thinking, marker, until }: TurnShape): string {
  const from = openings
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => other.text.length - one.text.length)
    .map(({ text, when }) => `${[...text].length} if ${condition(when, thinking)}generation_turn.startswith(${quoted(text)}) else `)
    .join('')
  const to =
    until === 'marker' && marker !== undefined
      ? `generation_turn.rfind(${quoted(marker)}) + ${[...marker].length} if ${quoted(marker)} in generation_turn else generation_turn.rstrip() | length`
      : until === 'text'
        ? 'generation_turn.rstrip() | length'
        : 'generation_turn | length'
  return [
    `{% if ${message}['role'] in ['assistant', 'model'] and generation_turn %}`,
    `{% set generation_start = ${from}0 %}`,
    `{% set generation_end = [generation_start, ${to}] | max %}`,
    '{{ generation_turn[:generation_start] }}',
    '{% generation %}{{ generation_turn[generation_start:generation_end] }}{% endgeneration %}',
    '{{ generation_turn[generation_end:] }}',
    '{% else %}{{ generation_turn }}{% endif %}',
  ].join('')
}

/** When a chat has an opening, by the variable that switches thinking. */
function condition(when: ReadonlySet<ThinkingSwitch>, name: string | undefined): string {
  if (name === undefined || when.size === 3) return ''
  const states = [...(['unset', 'on', 'off'] as const)].filter((state) => when.has(state)).join(' ')
  const conditions: Readonly<Record<string, string>> = {
    unset: `${name} is not defined`,
    on: `(${name} is defined and ${name})`,
    off: `(${name} is defined and not ${name})`,
    'unset on': `(${name} is not defined or ${name})`,
    'unset off': `not (${name} is defined and ${name})`,
    'on off': `${name} is defined`,
  }
  return `${conditions[states] ?? 'true'} and `
}

/** A string of Jinja. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`).replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`)}'`
}
