import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, isDict } from '../../../base/python/index.ts'
import type { AgentTool } from '../../../model/agent/agent-tool.ts'
import { parseConfigJson } from '../../node/config/load-config.ts'
import { readModule } from '../../node/config/read-module.ts'
import { readText } from '../../node/config/read-text.ts'

/** Loads tools: a module's default export with functions, or JSON schemas whose results the user types. */
export async function loadTools(path: string): Promise<AgentTool[]> {
  const file = resolve(path)
  if (!existsSync(file)) throw new PromptError('no-file', { where: '--tools', problem: `${path} not found`, fix: 'check the path' })
  const isProgram = ['.ts', '.mts', '.js', '.mjs'].includes(extname(file))
  const given: unknown = isProgram ? await readModule(file, path) : parseConfigJson(readText(file, path), path)
  const list = Array.isArray(given) ? given : isDict(given) && Array.isArray(dictGet(given, 'tools')) ? dictGet(given, 'tools') : undefined
  if (!Array.isArray(list))
    throw new PromptError('bad-tools', {
      where: path,
      problem: 'not a list of tools',
      fix: 'export default [{ name, parameters, run }]',
    })
  return list.map((tool: unknown, index) => readTool(tool, `${path}[${index}]`))
}

function readTool(given: unknown, where: string): AgentTool {
  const inner = isDict(given) ? dictGet(given, 'function') : undefined
  const tool = (isDict(inner) ? inner : given) as Partial<AgentTool> | null
  if (typeof tool?.name === 'string' && tool.name !== '') return tool as AgentTool
  throw new PromptError('bad-tools', { where, problem: 'the tool has no name', fix: 'use { name, description, parameters }' })
}
