import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { openViewedConfig } from '../../server/viewer/open-viewed-config.ts'
import { openViewed } from './open-viewed.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-view-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('configs, conversations and folders without runs are distinguished', async () => {
  const config = join(folder, 'config.json')
  const conversation = join(folder, 'chat.json')
  writeFileSync(config, JSON.stringify({ models: [{ abbr: 'm', format: 'chatml' }], datasets: [] }))
  writeFileSync(conversation, JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], steps: [] }))
  const viewed = await openViewed([config, conversation])
  expect(viewed.configs.map(({ site }) => site.name)).toEqual(['config.json'])
  expect(viewed.conversations?.map(({ name }) => name)).toEqual(['chat.json'])
  await expect(openViewed([folder])).rejects.toThrow('there is no run in this folder')
  await expect(openViewed([join(folder, 'none.yaml')])).rejects.toThrow('there is no such file')
  await expect(openViewed([join(folder, 'nothing')])).rejects.toThrow('there is no such file or folder')
})

test('without a config, the built-in example is shown with a note', async () => {
  const printed: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  vi.spyOn(process, 'cwd').mockReturnValue(mkdtempSync(join(folder, 'empty-')))
  expect((await openViewed([])).configs).toHaveLength(1)
  expect(printed.join('')).toContain('no config found in this folder or its parents; showing a built-in example')
})

test('possible secrets and unknown keys are not shown; rows are read on demand', () => {
  const model = {
    abbr: 'm',
    type: 'openai',
    format: 'chatml',
    key: 'sk-secret',
    api_key: 'sk-secret',
    headers: { a: 'sk-secret' },
    hidden: 'sk-secret',
  }
  const dataset = { rows: [{ a: 'a row' }], infer_cfg: { prompt_template: { template: '{a}' } } }
  const { site } = openViewedConfig(
    { file: '', folder, config: checkConfig({ models: [model], datasets: [dataset] }, '', { foreignKeys: true }) },
    0,
  )
  expect(JSON.stringify(site)).not.toMatch(/sk-secret|a row/)
  expect(site.models[0]).toMatchObject({ name: 'm', config: { format: 'chatml' } })
})

test('--help shows examples', async () => {
  const { code, stdout } = await rolecall(['view', '--help', 'all'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/rolecall view outputs\/sums/)
})

test('--control contradicts --read-only and --export', async () => {
  for (const [flags, problem] of [
    [['--read-only'], 'a read-only page controls nothing'],
    [['--export', 'site'], 'an exported page has no server'],
  ] as const)
    expect(await rolecall(['view', '--control', ...flags], folder)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
})
