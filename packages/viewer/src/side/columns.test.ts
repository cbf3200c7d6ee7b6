import { expect, test } from 'vitest'
import type { ConfigSite } from '../../../rolecall/src/server/viewer/viewer-data.ts'
import { columnsOf, withColumn, withoutColumn } from './columns.ts'

function configWith(...names: string[]): ConfigSite {
  return { name: 'c', models: names.map((name) => ({ name, config: { format: 'plain' } })), datasets: [], warnings: [], unused: [] }
}

const shown = (config: ConfigSite, query: Record<string, string>) =>
  columnsOf(config, query).map(({ model, format }) => (format === undefined ? model.name : `${model.name} ${format}`))

test('by default the first two models are compared, or one model in another format', () => {
  expect(shown(configWith('a', 'b', 'c'), {})).toEqual(['a', 'b'])
  expect(shown(configWith('a'), {})).toEqual(['a', 'a chatml'])
})

test('columns are added, first by models, then by formats, up to four, and removed', () => {
  const config = configWith('a', 'b', 'c')
  const third = withColumn(config, columnsOf(config, {}), ['plain', 'chatml'])
  expect(third).toEqual({ third: 'c' })
  const query = { third: 'c', ...withColumn(config, columnsOf(config, { third: 'c' }), ['plain']) } as Record<string, string>
  expect(shown(config, query)).toEqual(['a', 'b', 'c', 'a plain'])
  expect(withColumn(config, columnsOf(config, query), ['plain'])).toEqual({})
  expect(withoutColumn(columnsOf(config, query), 0)).toMatchObject({
    left: 'b',
    right: 'c',
    third: 'a',
    thirdFormat: 'plain',
    fourth: undefined,
  })
})

test('unknown names in a link are reported', () => {
  expect(columnsOf(configWith('a', 'b'), { left: 'gone', rightFormat: 'odd' })).toMatchObject([
    { missingModel: 'gone' },
    { missingFormat: 'odd' },
  ])
})
