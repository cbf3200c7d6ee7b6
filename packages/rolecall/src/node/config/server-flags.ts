import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { writesChatTemplate } from '@rolecall/core/internal/format'
import { isDict } from '@rolecall/core/internal/python'
import { judgeNamed, withJudge } from '../../compat/opencompass/default-judge.ts'
import { modelClassOf } from '../../compat/opencompass/model-classes.ts'
import { onServer, type Served } from '../../compat/opencompass/on-server.ts'
import { withChangedJudge } from '../../evaluation/config/judge-of.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { folderWithTemplate } from '../models/find-chat-template.ts'

/** Servers given by `--models NAME=URL` and `--base-url`, and the judge given by `--judge`. */
export type Servers = { byName: ReadonlyMap<string, Served>; all: Served | undefined; judge: Required<Served> | undefined }

/** The flags that name servers. */
export type ServerFlags = {
  models?: string | undefined
  baseUrl?: string | undefined
  judge?: string | undefined
  /** Servers of models by their abbr, which were started for them. */
  launched?: ReadonlyMap<string, Served> | undefined
}

/** Splits `--models` into model names and the servers given with them. */
export function readServers({ models, baseUrl, judge, launched = new Map() }: ServerFlags): {
  names: string | undefined
  servers: Servers
} {
  const byName = new Map<string, Served>(launched)
  const names = models?.split(',').map((one) => {
    const [, name, served, url] = /^\s*([^=]+)=(?:(.+)@)?(https?:\/\/.+?)\s*$/.exec(one) ?? []
    if (name === undefined) {
      if (/^[^:]+=/.test(one)) throw badUrl('--models', one)
      return one
    }
    byName.set(name, { url: url!, ...(served === undefined ? {} : { name: served }) })
    return name
  })
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) throw badUrl('--base-url', baseUrl)
  const all = baseUrl === undefined ? undefined : { url: baseUrl }
  return { names: names?.join(','), servers: { byName, all, judge: judge === undefined ? undefined : readJudge(judge) } }
}

function readJudge(given: string): Required<Served> {
  const [, name, url] = /^(.+)@(https?:\/\/.+)$/.exec(given.trim()) ?? []
  if (name === undefined || url === undefined) throw badUrl('--judge', given)
  return { name, url }
}

/** An example of each flag. */
const withUrl: Readonly<Record<string, string>> = {
  '--models': 'NAME=http://127.0.0.1:8000/v1',
  '--base-url': 'http://127.0.0.1:8000/v1',
  '--judge': 'MODEL@http://127.0.0.1:8000/v1',
}

function badUrl(where: string, given: string): PromptError {
  return new PromptError('bad-url', {
    where,
    problem: `"${given}" has no URL`,
    fix: /^[\w.-]+:\d+(\/.*)?$/.test(given)
      ? `${where} http://${given}`
      : `start it with http:// or https://, e.g. ${where} ${withUrl[where]}`,
  })
}

/** Points the models of a config at the servers that flags name; notes say which chat templates were found. */
export function withServers(given: unknown, { byName, all, judge }: Servers, folder: string): { config: unknown; notes: Note[] } {
  const notes: Note[] = []
  const config = judge === undefined ? given : withJudgeOn(given, judge, notes)
  if ((byName.size === 0 && all === undefined) || !isDict(config) || !('models' in config) || !Array.isArray(config.models))
    return { config, notes }
  const placed = (model: Record<string, unknown>, served: Served | undefined) =>
    served === undefined ? model : onServer(withOwnTemplate(model, folder, notes), served)
  const named = ({ abbr }: Record<string, unknown>, index = '') => byName.get(typeof abbr === 'string' ? abbr : index)
  const models = changedEntries(config.models, (model, index) => placed(model, named(model, String(index)) ?? all))
  const listed = 'datasets' in config && Array.isArray(config.datasets) ? config.datasets : []
  // A judge of a local class needs a server, too; one on a server stays there unless it is named.
  const datasets = changedEntries(listed, (dataset) =>
    withChangedJudge(dataset, (model: Record<string, unknown>) => placed(model, named(model) ?? (isLocal(model) ? all : undefined))),
  )
  return { config: { ...config, models, ...(listed.length > 0 ? { datasets } : {}) }, notes }
}

/** Entries that are no objects are left to the checks of the config. */
function changedEntries(entries: readonly unknown[], change: (entry: Record<string, unknown>, index: number) => object): unknown[] {
  return entries.map((entry, index) => (isDict(entry) ? change(entry as Record<string, unknown>, index) : entry))
}

/** Whether a model is of a class of OpenCompass or AISBench that loads it on a machine. */
function isLocal({ type }: Record<string, unknown>): boolean {
  return typeof type === 'string' && modelTypeOf({ type }) === undefined && modelClassOf(type) !== undefined
}

/** Every dataset with a judge gets this one. */
function withJudgeOn(config: unknown, { name, url }: Required<Served>, notes: Note[]): unknown {
  const listed = isDict(config) && 'datasets' in config && Array.isArray(config.datasets) ? config.datasets : []
  const datasets = changedEntries(listed, (dataset) => withJudge(dataset, judgeNamed(name, url), { replace: true }))
  if (datasets.some((dataset, index) => dataset !== listed[index])) return { ...(config as object), datasets }
  notes.push({ code: 'unused-judge', where: '--judge', text: 'it is not used: no dataset of the config has a judge' })
  return config
}

/** If the model's folder is on this machine, its own chat template and tokenizer render the exact prompt. */
function withOwnTemplate(model: Record<string, unknown>, folder: string, notes: Note[]): Record<string, unknown> {
  if (!writesChatTemplate(typeof model.type === 'string' ? model.type : undefined) || model.chat_template !== undefined) return model
  const found = folderWithTemplate(model, folder)
  const where = `${typeof model.abbr === 'string' ? model.abbr : 'model'} › type`
  if (found === undefined) {
    notes.push({
      code: 'server-template',
      where,
      text: 'its chat template is not on this machine: messages are sent, and the server renders them with its own',
    })
    return model
  }
  notes.push({ code: 'found-template', where, text: `its prompts are rendered with the chat template of ${found}` })
  const hasTokenizer = ['tokenizer.json', 'tokenizer.model'].some((name) => existsSync(join(found, name)))
  const { meta_template: _, ...rest } = model
  return { ...rest, chat_template: found, ...(hasTokenizer && model.tokenizer_path === undefined ? { tokenizer_path: found } : {}) }
}
