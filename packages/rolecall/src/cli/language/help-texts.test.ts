import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { commands } from '../commands.ts'
import { chinese } from './chinese.ts'
import { chineseExamples } from './chinese-examples.ts'
import { chineseFlags } from './chinese-flags.ts'
import { exampleText } from './cli-language.ts'

/** Every text that the help of a command shows. */
function textsOf(command: Command): string[] {
  const groups = command.options.flatMap((option) => (option as { helpGroupHeading?: string }).helpGroupHeading ?? [])
  return [
    command.description(),
    ...command.registeredArguments.map(({ description }) => description),
    ...command.options.map(({ description }) => description),
    ...groups,
    ...afterTexts(command),
    ...command.commands.flatMap(textsOf),
  ]
}

function afterTexts(command: Command): string[] {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => void written.push(text) })
  command.outputHelp()
  const paragraphs = written.slice(1).flatMap((text) => text.trim().split(/\n{2,}/))
  return paragraphs.flatMap((paragraph) =>
    paragraph.startsWith('Examples:') ? paragraph.split('\n').flatMap((line) => exampleText.exec(line)?.[2] ?? []) : [paragraph],
  )
}

// Loads every command, which takes half a minute on a slow machine.
test('every help text has a translation, and every translation of a help text is used', { timeout: 180_000 }, async () => {
  const texts = new Set<string>()
  for (const { task, does, load } of commands)
    for (const text of [`${task}:`, does, ...textsOf(await load())]) if (text !== '') texts.add(text)
  expect(texts.size).toBeGreaterThan(300)
  expect([...texts].filter((text) => !Object.hasOwn(chinese, text))).toEqual([])
  expect(Object.keys({ ...chineseFlags, ...chineseExamples }).filter((text) => !texts.has(text))).toEqual([])
})

test.each([
  [['run', '--help'], { LANG: 'zh_CN.UTF-8' }],
  [['run', '--help', '--lang', 'zh'], { LANG: 'en_US.UTF-8' }],
  [['--lang=zh', 'run', '--help'], {}],
])('the help is Chinese: %j', async (args, environment) => {
  const { code, stdout } = await rolecall(args, undefined, { LC_ALL: '', LC_MESSAGES: '', ...environment })
  expect(code).toBe(0)
  expect(stdout).toContain('用法：')
  expect(stdout).toContain('评测模型：发送提示词、为回答打分、写出结果')
  expect(stdout).toContain('示例：')
  expect(stdout).toContain('退出码：0')
  expect(stdout).not.toMatch(/\b(?:Usage|Examples|Exit code|the config)\b/)
})

test('the list of commands is Chinese; LC_ALL and --lang en win', async () => {
  const zh = { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' }
  expect((await rolecall(['--help'], undefined, zh)).stdout).toMatch(/查看提示词：[\s\S]*打印任意数据对任意模型的准确提示词/)
  expect((await rolecall(['--help'], undefined, { ...zh, LC_ALL: 'C.UTF-8' })).stdout).toContain('Look at prompts:')
  expect((await rolecall(['--help', '--lang', 'en'], undefined, zh)).stdout).toContain('Look at prompts:')
})

test('errors are labelled in Chinese, and JSON is not translated', async () => {
  const zh = { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' }
  const { stderr, stdout, code } = await rolecall(['render', 'gone.yaml', '--json'], undefined, zh)
  expect({ code, label: stderr.slice(0, 3) }).toEqual({ code: 2, label: '错误 ' })
  expect(JSON.parse(stdout)).toMatchObject({ error: { exit_code: 2 } })
})

test('an unknown language is an error', async () => {
  const { code, stderr } = await rolecall(['--help', '--lang', 'xx'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no language "xx"') })
})
