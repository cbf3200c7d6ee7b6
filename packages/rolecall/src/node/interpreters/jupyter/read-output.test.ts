import { expect, test } from 'vitest'
import { readOutput } from './read-output.ts'

type Message = Parameters<typeof readOutput>[0]

const saved: string[] = []
const read = (type: string, content: Record<string, unknown>) =>
  readOutput({ header: { msg_type: type }, content } as Message, (data, ending) => {
    saved.push(new TextDecoder().decode(data))
    return `file.${ending}`
  })

test('streams and values are text; an error has its traceback without colours', () => {
  expect(read('stream', { name: 'stderr', text: 'late\n' })).toEqual({ kind: 'text', stream: 'stderr', text: 'late\n' })
  expect(read('execute_result', { data: { 'text/plain': ['4', '2'] } })).toEqual({ kind: 'value', text: '42' })
  expect(read('error', { ename: 'E', evalue: 'no', traceback: ['\u001b[31mline 1\u001b[0m', 'line 2'] })).toEqual({
    kind: 'error',
    name: 'E',
    message: 'no',
    text: 'line 1\nline 2',
  })
  expect(read('status', { execution_state: 'idle' })).toBeUndefined()
})

test('images and pages are saved; a table with a text version is shown as text', () => {
  const svg = read('display_data', { data: { 'image/svg+xml': '<svg/>', 'text/plain': '<Figure>' } })
  expect(svg).toMatchObject({ kind: 'image', mime: 'image/svg+xml', path: 'file.svg' })
  expect(read('display_data', { data: { 'text/html': '<b>x</b>', 'text/plain': '<HTML object>' } })).toMatchObject({
    kind: 'html',
    path: 'file.html',
  })
  expect(saved).toEqual(['<svg/>', '<b>x</b>'])
  expect(read('display_data', { data: { 'text/html': '<table/>', 'text/plain': 'a b' } })).toEqual({ kind: 'value', text: 'a b' })
  expect(read('display_data', { data: { 'application/vnd.plotly.v1+json': { data: [] } } })).toEqual({
    kind: 'plotly',
    json: '{"data":[]}',
  })
})
