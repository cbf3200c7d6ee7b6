import { expect, test } from 'vitest'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

const note = 'note the command line speaks English; docs and viewer are also in Chinese\n'

test.each([
  [['--lang', 'zh', '--help'], note],
  [['--help', '--lang=zh_CN'], note],
  [['--help', '--lang', 'en'], ''],
  [['--help'], ''],
])('the command line speaks English, and says so only where --lang asks for another language: %j', async (args, said) => {
  const { code, stdout, stderr } = await rolecall(args, undefined, { LC_ALL: '', LANG: 'zh_CN.UTF-8', ROLECALL_LANG: 'zh' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: said })
  expect(stdout).toContain('the exact prompt of any row')
  expect(stdout).not.toMatch(/\p{Script=Han}/u)
})

test('--lang goes with any command, and keeps JSON readable', async () => {
  const { stdout, stderr } = await rolecall(['list', 'formats', '--lang', 'zh', '--json'])
  expect(stderr).toBe(note)
  expect(JSON.parse(stdout)).toHaveProperty('chatml')
})
