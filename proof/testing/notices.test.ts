import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { notices } from '../../scripts/notices.ts'

const module = (path: string) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))

test('every bundled package is listed once, with its licence', () => {
  const text = notices([
    module('preact/dist/preact.module.js'),
    module('preact/hooks/dist/hooks.module.js'),
    `\0${module('@codemirror/state/dist/index.js')}?commonjs-proxy`,
    fileURLToPath(new URL('../../packages/rolecall/src/index.ts', import.meta.url)),
    '\0vite/preload-helper.js',
  ])
  expect(text.match(/^\S+ \d[\w.]* \(.*\)$/gm)).toEqual([
    expect.stringMatching(/^@codemirror\/state .* \(MIT\)$/),
    expect.stringMatching(/^preact .* \(MIT\)$/),
  ])
  expect(text).toContain('Permission is hereby granted, free of charge')
})
