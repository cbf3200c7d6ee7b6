import { expect, test } from 'vitest'
import { lintTemplate } from '../lint-template.ts'

const loop = (test: string) =>
  `{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{% if p.type == 'text' %}{{ p.text }}{% elif ${test} %}<image>{% endif %}{% endfor %}{% endif %}{% endfor %}`

const problems = (source: string) => lintTemplate({ source }, { only: ['image-dropped'] }).findings.map(({ problem }) => problem)

test('a template that tests only `image` drops what clients send', () => {
  expect(problems(loop("p.type == 'image'"))).toEqual([
    'an image beside text given as { type: image_url } is silently dropped; as { type: image } or { type: image, url } it is written',
  ])
})

test('a template that tests only `image_url` drops what serving stacks send', () => {
  expect(problems(loop("p.type == 'image_url'"))).toEqual([
    'an image beside text given as { type: image } or { type: image, url } is silently dropped; as { type: image_url } it is written',
  ])
})

test('a template that tests both, or any other part, drops nothing', () => {
  expect(problems(loop("p.type in ['image', 'image_url']"))).toEqual([])
  expect(problems(loop('true'))).toEqual([])
})

test('a template without images drops them in every shape', () => {
  expect(problems(loop('false'))).toEqual(['an image beside text is silently dropped'])
})
