import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entryPoints, needsNode } from '../../../scripts/entry-points.ts'
import type { Runtime } from './tools.ts'

/** A program that uses the library, and its output; `rolecall/node` is for Node and compatible runtimes. */
const body = `
const prompt = renderPrompt(defineModel('chatml'), [{ role: 'user', content: 'Hi' }])
console.log(JSON.stringify(prompt.text), new Template('{{ a }}!').render({ a: 1 }))`
const printed = String.raw`"<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n" 1!`

const programs = {
  'esm.mjs': `import { defineModel, renderPrompt } from 'rolecall'\nimport { Template } from 'rolecall/jinja'${body}`,
  'require.cjs': `const { defineModel, renderPrompt } = require('rolecall')\nconst { Template } = require('rolecall/jinja')${body}`,
  'node.mjs': `import { loadEmbedded } from 'rolecall/node'
import { promptText } from 'rolecall/formats'
import { defineModel, renderPrompt } from 'rolecall'
import { Template } from 'rolecall/jinja'
const model = await loadEmbedded()
await model.close?.()${body}`,
}

export type Outcome = { name: string; problem?: string }

/** Runs small programs that use the installed package: in this Node, in other runtimes, and bundled for a browser. */
export async function smokeTests(folder: string, tools: string, others: readonly Runtime[], deno: string | undefined): Promise<Outcome[]> {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), `${text}\n`)
  const here = { name: `Node ${process.versions.node}`, program: process.execPath }
  const runtimes = [here, ...others].flatMap(({ name, program }) =>
    Object.keys(programs).map((file) => outcome(`${name}: ${file}`, folder, program, [file])),
  )
  const ofDeno = deno === undefined ? [] : Object.keys(programs).map((file) => outcome(`Deno: ${file}`, folder, deno, ['run', '-A', file]))
  return [...runtimes, ...ofDeno, sameNames(folder), await bundled(folder, tools)]
}

/** Node gets a bundle and others get modules: both must export the same names. */
function sameNames(folder: string): Outcome {
  const name = 'the same names for Node and for bundlers'
  const imports = Object.entries(entryPoints)
    .filter(([, file]) => !needsNode.has(file))
    .map(([path, file]) => `[${JSON.stringify(path)}, './node_modules/rolecall/dist/modules/${file}.js']`)
  const code = `const names = async (path) => Object.keys(await import(path)).sort().join()
for (const [path, file] of [${imports}]) if ((await names(path)) !== (await names(file))) console.log(path)`
  writeFileSync(join(folder, 'names.mjs'), code)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['names.mjs'], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  return status === 0 && stdout === '' ? { name } : { name, problem: (stdout + stderr).slice(0, 400) }
}

function outcome(name: string, folder: string, program: string, args: readonly string[]): Outcome {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  return stdout === `${printed}\n` ? { name } : { name, problem: `exit code ${status}: ${(stdout + stderr).slice(0, 400)}` }
}

/** esbuild's bundle must be self-contained: it runs in a context without globals. */
async function bundled(folder: string, tools: string): Promise<Outcome> {
  const name = 'esbuild, for the browser: esm.mjs'
  const { build } = (await import(pathToFileURL(createRequire(join(tools, 'package.json')).resolve('esbuild')).href)) as {
    build(options: object): Promise<{ outputFiles: { text: string }[] }>
  }
  try {
    const options = { bundle: true, minify: true, write: false, platform: 'browser', format: 'iife', logLevel: 'silent' }
    const { outputFiles } = await build({ ...options, entryPoints: [join(folder, 'esm.mjs')] })
    const { runInNewContext } = await import('node:vm')
    const lines: string[] = []
    const console = { log: (...words: string[]) => lines.push(words.join(' ')) }
    runInNewContext(outputFiles[0]!.text, { console, TextEncoder, TextDecoder, URL, setTimeout, clearTimeout, performance })
    return lines.join('\n') === printed ? { name } : { name, problem: lines.join('\n') }
  } catch (error) {
    return { name, problem: (error as Error).message.slice(0, 400) }
  }
}
