import { PromptError } from '@rolecall/core/internal/errors'
import { staysInside } from '../stays-inside.ts'

/** A repository on a hub, and what of it is meant. */
export type HubName = {
  site: 'huggingface' | 'modelscope'
  kind: 'models' | 'datasets'
  /** `org/name`; the oldest repositories of Hugging Face have no organisation. */
  id: string
  /** A branch, a tag, a commit or `refs/…`; the hub's default branch if undefined. */
  revision?: string
  /** What follows the repository: a file, or a dataset's config and split. */
  path?: string
  /** The quantisation of a GGUF file, such as `Q4_K_M`. */
  quantisation?: string
}

const part = String.raw`[A-Za-z0-9][\w.-]*`
const repository = `${part}/${part}?`
/** What else the addresses of a repository end with. */
const pages = 'summary|quickstart|files|dataPeview|feedback|viewer|discussions'
const quantised = /^(?:I?Q\d\w*|B?F\d+\w*|FP\d+|MXFP4\w*|TQ\d\w*|UD-\w+)$/i

/**
 * Reads a model's or a dataset's name on a hub; undefined if the text cannot be one.
 *
 * @example
 * parseHubName('acme/tiny-chat-GGUF:Q4_K_M')?.quantisation // => 'Q4_K_M'
 * parseHubName('hf://datasets/acme/trivia@v2/geometry/test')?.path // => 'geometry/test'
 * parseHubName('hf://gpt2')?.id // => 'gpt2'
 * parseHubName('./acme/tiny') // => undefined
 */
export function parseHubName(text: string, kind: HubName['kind'] = 'models'): HubName | undefined {
  const url = /^(?:https?:\/\/)?(?:www\.)?(hf\.co|huggingface\.co|modelscope\.cn|modelscope\.ai)\/(.+?)\/*$/.exec(text)
  if (url) return fromWeb(url[1]!.startsWith('modelscope') ? 'modelscope' : 'huggingface', url[2]!, text)
  const prefixed = /^(hf|ms|modelscope):(?:\/\/)?(.+)$/.exec(text)
  if (prefixed) return fromParts(prefixed[1] === 'hf' ? 'huggingface' : 'modelscope', prefixed[2]!, { kind, text, isCertain: true })
  return fromParts('huggingface', text, { kind, text, isCertain: false })
}

type Given = { kind: HubName['kind']; text: string; isCertain: boolean }

function fromParts(site: HubName['site'], name: string, { kind, text, isCertain }: Given): HubName | undefined {
  const rest = String.raw`(?:@(refs/(?:pr|convert)/\w+|[^/:]+))?(?::([\w.-]+))?(?:/(.+))?$`
  const oldest = isCertain && site === 'huggingface' ? [`(?:(models|datasets)/)?(${part}?)(?=[@:]|$)${rest}`] : []
  const [, type, id, encoded, quantisation, path] = firstMatch(name, [...oldest, `(?:(models|datasets)/)?(${repository})${rest}`])
  if (!isCertain && encoded !== undefined && /%(?![0-7][0-9A-Fa-f])/.test(encoded)) return undefined
  const revision = decoded(encoded, text)
  const isPlain = path === undefined && (quantisation === undefined || quantised.test(quantisation))
  if (
    id === undefined ||
    !staysInside(revision) ||
    !staysInside(path) ||
    (!isCertain && (!isPlain || type !== undefined || looksLikeFile(name)))
  ) {
    if (!isCertain) return undefined
    throw notName(text)
  }
  return compact({ site, kind: (type as HubName['kind'] | undefined) ?? kind, id, revision, quantisation, path })
}

/**
 * `org/name[/tree|blob|resolve/REVISION[/PATH]]`, as the sites' own addresses are, `org/name/viewer/CONFIG/SPLIT` of a dataset's rows, other
 * pages of a repository; `hf.co/org/name:Q4_K_M` as Ollama writes it.
 */
function fromWeb(site: HubName['site'], address: string, text: string): HubName | undefined {
  const [plain] = address.split(/[?#]/)
  const rest = String.raw`(?::([\w.-]+))?(?:/(?:tree|blob|resolve|raw|files?|file/view)/((?:refs(?:/|%2F)(?:pr|convert)(?:/|%2F))?[^/]+)(?:/(.+))?)?(?:/viewer/(.+))?`
  const oldest = site === 'huggingface' ? [`(?:(models|datasets)/)?(${part}?)${rest}$`] : []
  const newest = `(?:(models|datasets)/)?(${repository})${rest}(?:/(?:${pages}))?$`
  const [, type, id, quantisation, ...encoded] = firstMatch(plain!, [...oldest, newest])
  if (id === undefined) return fromParts(site, plain!, { kind: 'models', text, isCertain: true })
  const [revision, path, viewed] = encoded.map((one) => decoded(one, text))
  if (![revision, path, viewed].every(staysInside)) throw notName(text)
  return compact({
    site,
    kind: (type as HubName['kind'] | undefined) ?? 'models',
    id,
    quantisation,
    // The revision separates a config from a name of two parts.
    revision: revision ?? (viewed !== undefined && !id.includes('/') ? 'main' : undefined),
    path: path ?? viewed,
  })
}

function firstMatch(text: string, patterns: readonly string[]): readonly (string | undefined)[] {
  for (const pattern of patterns) {
    const found = new RegExp(`^${pattern}`).exec(text)
    if (found) return found
  }
  return []
}

function decoded(part: string | undefined, text: string): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    throw notName(text)
  }
}

function notName(text: string): PromptError {
  return new PromptError('bad-hub-name', {
    where: text,
    problem: 'this is not the name of a repository on a hub',
    fix: 'write hf://ORG/NAME, hf://ORG/NAME@REVISION, hf://ORG/NAME:QUANTISATION or hf://datasets/ORG/NAME/CONFIG/SPLIT (ms://… for ModelScope)',
  })
}

/** `data/test.jsonl` is a path that does not exist rather than a repository. */
function looksLikeFile(name: string): boolean {
  return /\.(?:jinja2?|jsonl?|ya?ml|gguf|csv|tsv|parquet|model|py|txt|zip|gz)$/i.test(name.replace(/[@:].*$/, ''))
}

function compact(name: { [Key in keyof HubName]: HubName[Key] | undefined }): HubName {
  return Object.fromEntries(Object.entries(name).filter(([, value]) => value !== undefined)) as HubName
}

/** The name as `parseHubName` reads it. */
export function showHubName({ site, kind, id, revision, path, quantisation }: HubName): string {
  const scheme = site === 'modelscope' ? 'ms://' : 'hf://'
  const parts = [revision === undefined ? '' : `@${shownRevision(revision)}`, quantisation === undefined ? '' : `:${quantisation}`]
  return `${scheme}${kind === 'datasets' ? 'datasets/' : ''}${id}${parts.join('')}${path === undefined ? '' : `/${path}`}`
}

/** A slash in the name of a branch is written %2F, except in the hub's own `refs/…`. */
function shownRevision(revision: string): string {
  return /^refs\/(?:pr|convert)\/\w+$/.test(revision) ? revision : revision.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/**
 * A path in the cache of a hub as the name of what it holds; other paths stay as they are.
 * @example shownHubPath('/c/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218') // => 'Qwen/Qwen3-8B@b968826d9c46'
 */
export function shownHubPath(path: string): string {
  const place = /(models|datasets)(--|\/)([^/]+?--)?([^/]+)\/(?:snapshots\/([^/]+)|\.rolecall\/starts\/[^/]+)(?:\/(.+))?$/
  const [, kind, divider, org = '', name, commit = '', file] = place.exec(path.replaceAll('\\', '/')) ?? []
  if (kind === undefined || (divider === '/' && org === '')) return path
  const site = divider === '/' ? 'ms://' : ''
  const revision = /^[0-9a-f]{40}$/.test(commit) ? `@${commit.slice(0, 12)}` : ''
  return `${site}${kind === 'datasets' ? 'datasets/' : ''}${org.replace('--', '/')}${name}${revision}${file === undefined ? '' : `/${file}`}`
}

/** The name without what is meant of the repository: the key of records and locks. */
export function repositoryOf({ site, kind, id, revision }: HubName): string {
  return showHubName({ site, kind, id, ...(revision === undefined ? {} : { revision }) })
}
