import { expect, test } from 'vitest'
import { loaders } from './index.ts'
import { loaderNamed } from './load.ts'
import { settingsOfClass } from './settings-of-class.ts'

test('the table has the settings of every loader, also for other spellings and with the module prefix', () => {
  const names = Object.keys(loaders)
  expect(names.length).toBeGreaterThan(150)
  for (const name of names) {
    for (const spelling of [name, `opencompass.datasets.${name}`, name.toLowerCase(), `${name}_`])
      expect({ spelling, settings: settingsOfClass(spelling) }).toEqual({ spelling, settings: loaderNamed(spelling)!.takes })
  }
})

test('an unknown class has no settings', () => {
  expect(settingsOfClass('NoSuchDataset')).toBeUndefined()
  expect(settingsOfClass('constructor')).toBeUndefined()
})
