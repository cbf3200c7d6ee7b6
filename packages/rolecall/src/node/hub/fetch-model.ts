import { dirname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { groupBy } from '../../evaluation/score/evaluate/replicas.ts'
import { holdsMetadata } from '../models/gguf/read-gguf.ts'
import { type HubName, showHubName } from './hub-name.ts'
import type { RepoFile } from './hub-site.ts'
import type { Hub } from './open-hub.ts'

/** What a prompt needs of a model: tokenizer and templates, never weights. */
const promptFiles = [
  'chat_template.jinja',
  'chat_template.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'tokenizer.json',
  'config.json',
  'generation_config.json',
  'mlc-chat-config.json',
]
/** Needed only without a tokenizer.json. */
const olderFiles = ['tokenizer.model', 'vocab.json', 'merges.txt']

/** The folder with a model's tokenizer and chat templates; the path of a file if the name includes one or a quantisation. */
export async function fetchModel(hub: Hub, name: HubName, weights: boolean): Promise<string> {
  const { files } = await hub.list(name)
  if (name.path !== undefined) return fetchNamedFile(hub, name, name.path, weights)
  if (name.kind === 'datasets')
    throw new PromptError('hub-no-file', {
      where: showHubName(name),
      problem: 'this is a dataset, and a model is expected here',
      fix: 'give the name of a model, as in hf://ORG/NAME',
    })
  if (name.quantisation !== undefined) return fetchGguf(hub, name, weights)
  const hasTokenizer = files.some(({ path }) => path === 'tokenizer.json')
  const wanted = new Set([...promptFiles, ...(hasTokenizer ? [] : olderFiles)])
  const isWanted = ({ path }: RepoFile) => wanted.has(path) || /^additional_chat_templates\/[^/]+\.jinja$/.test(path)
  if (
    !files.some(({ path }) =>
      ['chat_template.jinja', 'tokenizer_config.json', 'tokenizer.json', 'tokenizer.model', 'mlc-chat-config.json'].includes(path),
    )
  ) {
    if (ggufFiles(files).length > 0) return fetchGguf(hub, name, weights)
    throw new PromptError('hub-no-file', {
      where: showHubName(name),
      problem: 'the repository has neither a chat template nor a tokenizer',
      fix: 'name another repository, often the one this model was made from',
    })
  }
  const { folder } = await hub.fetch(name, isWanted, ['chat_template.jinja'])
  return folder
}

/** The GGUF file of a quantisation, with its other shards; without one, Q4_K_M or the only one there is. Without `weights`, its metadata. */
export async function fetchGguf(hub: Hub, name: HubName, weights: boolean): Promise<string> {
  const { files } = await hub.list(name)
  if (name.path !== undefined) return fetchNamedFile(hub, name, name.path, weights)
  const all = ggufFiles(files)
  const groups = groupBy(all, ({ path }) => quantisationOf(path))
  const wanted = (name.quantisation ?? 'Q4_K_M').toUpperCase()
  const chosen = groups.get(wanted) ?? (name.quantisation === undefined && groups.size === 1 ? [...groups.values()][0] : undefined)
  if (chosen === undefined)
    throw new PromptError('hub-no-file', {
      where: showHubName(name),
      problem: all.length === 0 ? 'the repository has no GGUF file' : `there is no GGUF file with the quantisation ${wanted}`,
      fix:
        all.length === 0
          ? 'name another repository, often one that ends with -GGUF'
          : `choose one of: ${[...groups.keys()].map((one) => `${name.id}:${one}`).join(', ')}`,
    })
  if (!weights) {
    await hub.pin(name, chosen)
    return hub.fetchStart(name, chosen[0]!, holdsMetadata)
  }
  const paths = new Set(chosen.map(({ path }) => path))
  const fetched = await hub.fetch(name, ({ path }) => paths.has(path))
  return fetched.paths.get([...paths].sort()[0]!)!
}

async function fetchNamedFile(hub: Hub, name: HubName, path: string, weights: boolean): Promise<string> {
  const { files } = await hub.list(name)
  const isThere = files.some((file) => file.path === path)
  const gguf = weights || !path.endsWith('.gguf') ? undefined : files.find((file) => file.path === path)
  if (gguf !== undefined) return hub.fetchStart(name, gguf, holdsMetadata)
  const shards = new RegExp(
    `^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/-\d{5}-of-(\d{5})\\\.gguf$/, '-\\d{5}-of-$1\\.gguf')}$`,
  )
  const besides = new Set(promptFiles.map((file) => (dirname(path) === '.' ? file : `${dirname(path)}/${file}`)))
  // A template is rendered with the special tokens of the tokenizer config beside it.
  const isBeside = ({ path: one }: RepoFile) => !path.endsWith('.gguf') && besides.has(one)
  const { paths } = await hub.fetch(name, (file) => isThere && (shards.test(file.path) || isBeside(file)), [path])
  const found = paths.get(path)
  if (found !== undefined) return found
  throw new PromptError('hub-no-file', {
    where: showHubName(name),
    problem: `the repository has no file ${path}`,
    fix: `its files: ${files
      .map((file) => file.path)
      .slice(0, 12)
      .join(', ')}${files.length > 12 ? ', …' : ''}`,
  })
}

function ggufFiles(files: readonly RepoFile[]): RepoFile[] {
  return files.filter(({ path }) => path.endsWith('.gguf') && !/(?:^|\/)mmproj/i.test(path)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** `Q4_K_M` of `model-Q4_K_M.gguf`, `model.q4_k_m.gguf`, `BF16/model-BF16-00001-of-00003.gguf`. */
function quantisationOf(path: string): string {
  const stem = path.replace(/(?:-\d{5}-of-\d{5})?\.gguf$/, '')
  return (/(?:^|[-._/])((?:UD-)?(?:I?Q\d\w*|B?F\d+|FP\d+|MXFP4\w*|TQ\d\w*))$/i.exec(stem)?.[1] ?? stem).toUpperCase()
}
