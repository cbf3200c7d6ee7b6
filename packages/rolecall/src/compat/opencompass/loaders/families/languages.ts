import { dictOf, pop } from '../row-values.ts'
import { mapped } from './plain.ts'

/** Each language of a translation is a column. */
export const iwslt = mapped((entry) => {
  for (const [language, text] of dictOf(pop(entry, 'translation'))) entry.set(language, text)
  return entry
})
