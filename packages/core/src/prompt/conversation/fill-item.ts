import { fillCarried, fillData, saysData } from './carried.ts'
import type { ItemTemplate } from './compile-template.ts'
import type { Item } from './conversation.ts'
import { type FillOptions, fillText } from './fill.ts'
import { fillParts } from './fill-parts.ts'

/** A turn or loose text of a dialogue, filled from a row. */
export function fillItem(item: ItemTemplate, options: FillOptions): Item {
  if ('loose' in item) return { loose: fillText(item.loose, options), path: item.loose.path }
  const { prompt, parts, carried, ...turn } = item
  const said = carried ? { ...turn, ...fillCarried(carried, options.fields, options.quirks) } : turn
  if (parts) return { ...said, ...fillParts(parts, options.fields, options.quirks) }
  if (!prompt) return said
  const data = saysData({ role: turn.role, name: carried?.name }) ? fillData(prompt, options.fields) : undefined
  return { ...said, content: data ?? fillText(prompt, options) }
}
