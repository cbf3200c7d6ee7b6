import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = new URL('../../.github/', import.meta.url)
const read = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'))

type Field = { id: string; attributes: { label: string }; validations?: { required?: boolean } }

test('reports of a bug or a difference come with the output of rolecall doctor', () => {
  const forms = readdirSync(new URL('ISSUE_TEMPLATE', folder)).filter((name) => name !== 'config.yml')
  for (const name of forms) {
    const { name: title, description, body } = read(`ISSUE_TEMPLATE/${name}`) as { name: string; description: string; body: Field[] }
    expect([typeof title, typeof description, body.length > 0]).toEqual(['string', 'string', true])
    expect(new Set(body.map(({ id }) => id)).size).toBe(body.length)
    const doctor = body.find(({ attributes }) => attributes.label.includes('`rolecall doctor`'))
    expect({ name, asks: doctor?.validations?.required === true }).toEqual({ name, asks: name !== 'idea.yml' })
  }
})

test('CI runs the quick tests on Linux, macOS and Windows, with the oldest and the newest Node', () => {
  const { jobs } = read('workflows/ci.yml') as {
    jobs: Record<string, { strategy?: { matrix: Record<string, unknown[]> }; steps: { run?: string }[] }>
  }
  expect(jobs.quick?.strategy?.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 24] })
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', folder), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toMatch(/^>=20\./)
  // The commands of ours that it runs exist.
  const ours = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => [...run.matchAll(/npx rolecall (\w+)/g)].map(([, name]) => name)),
  )
  expect(ours).toEqual(['doctor', 'render', 'run'])
})
