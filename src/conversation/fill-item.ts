import type { ItemTemplate } from './compile-template.ts'
import type { Item } from './conversation.ts'
import { type FillOptions, fillText } from './fill.ts'

/** A turn or a loose text of a dialogue, filled from a row. */
export function fillItem(item: ItemTemplate, options: FillOptions): Item {
  if ('loose' in item) return { loose: fillText(item.loose, options), path: item.loose.path }
  const { prompt, ...turn } = item
  return prompt ? { ...turn, content: fillText(prompt, options) } : turn
}
