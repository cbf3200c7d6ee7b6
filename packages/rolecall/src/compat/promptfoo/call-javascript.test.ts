import { beforeAll, expect, test } from 'vitest'
import { callJavaScript, openJavaScript } from './call-javascript.ts'

beforeAll(openJavaScript)

const body = (code: string) => ({ kind: 'body', code, parameters: ['output', 'context'] }) as const

test.for([
  ['return output.length > 2', ['abc'], true],
  ['return output === context.vars.gold ? 0.5 : 0', ['a', { vars: { gold: 'a' } }], 0.5],
  ['return { pass: true, score: 1, reason: "é" }', ['a'], { pass: true, score: 1, reason: 'é' }],
  ['return Promise.resolve(output).then((text) => text + "!")', ['a'], 'a!'],
  ['return JSON.parse(output).a', ['{"a": [1, 2]}'], [1, 2]],
  ['return undefined', ['a'], null],
  ['console.log(output); return 1', ['a'], 1],
] as const)('%s', ([code, args, value]) => {
  expect(callJavaScript(body(code), args)).toMatchObject({ value })
})

test.for([
  ['module.exports = (output) => output + "!"', undefined, 'a!'],
  ['module.exports = { mine: (output) => output + "?" }', 'mine', 'a?'],
  ['exports.mine = (output) => output + "?"', 'mine', 'a?'],
  ['export default (output) => output + "!"', undefined, 'a!'],
  ['export default function named(output) { return output + "!" }', undefined, 'a!'],
  ['const other = (output) => output + "?"\nexport { other as mine }', 'mine', 'a?'],
  ['export async function mine(output) { return output + "?" }', 'mine', 'a?'],
] as const)('a file with %s', ([code, name, value]) => {
  expect(callJavaScript({ kind: 'file', code, name }, ['a'])).toMatchObject({ value })
})

test.for([
  ['throw new RangeError("no")', 'RangeError: no'],
  ['return (', 'SyntaxError'],
  ['for (;;);', 'it took more than 0.2 s'],
  ['return Promise.resolve().then(() => { for (;;); })', 'it took more than 0.2 s'],
  ['return "x".repeat(9e6)', 'characters'],
  ['const f = () => f() + 1; return f()', /stack|RangeError|InternalError/],
  ['return new Promise(() => {})', 'its promise was not settled'],
  ['return process.env', 'ReferenceError'],
  ['return require("fs")', 'ReferenceError'],
  ['return fetch("http://127.0.0.1")', 'ReferenceError'],
  ['return this.constructor.constructor("return process")()', 'ReferenceError'],
  ['return import("node:fs")', ''],
] as const)('%s is a problem of the call', ([code, problem]) => {
  const result = callJavaScript(body(code), ['a', {}], { milliseconds: 200 })
  expect(result).toMatchObject({ problem: typeof problem === 'string' ? expect.stringContaining(problem) : expect.stringMatching(problem) })
})

test('a file that needs other modules says so', () => {
  expect(callJavaScript({ kind: 'file', code: 'const fs = require("fs"); module.exports = () => 1' }, [])).toMatchObject({
    problem: expect.stringContaining('require("fs") is not available in the sandbox'),
  })
})

test('calls share nothing', () => {
  callJavaScript(body('globalThis.kept = 1; Array.prototype.map = null; return 1'), ['a'])
  expect(callJavaScript(body('return [typeof kept, [1].map((x) => x + 1)]'), ['a'])).toMatchObject({ value: ['undefined', [2]] })
})
