import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a hub is, and how it is used; from the variables that its own Python client reads. */
export type HubSettings = {
  /** The address, without a slash at the end. */
  endpoint: string
  /** The folder of the cache. */
  cache: string
  token: string | undefined
  /** Without a single request. */
  isOffline: boolean
  /** How long the hub may be silent, in milliseconds: before an answer, and within a download. */
  timeouts: { answer: number; download: number }
  /** Whether snapshots are links to blobs, or the files themselves. */
  links: boolean
  environment: Environment
}

/** The settings of huggingface_hub: `HF_ENDPOINT`, `HF_HOME`, `HF_HUB_CACHE`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HUB_OFFLINE` and others. */
export function huggingFaceSettings(environment: Environment = process.env): HubSettings {
  const home = expanded(environment.HF_HOME, environment) ?? join(cacheHome(environment), 'huggingface')
  const isImplicit = !isOn(environment.HF_HUB_DISABLE_IMPLICIT_TOKEN)
  const tokenFile = expanded(environment.HF_TOKEN_PATH, environment) ?? join(home, 'token')
  const given = environment.HF_TOKEN?.trim() || environment.HUGGING_FACE_HUB_TOKEN?.trim()
  return {
    endpoint: withoutSlash(environment.HF_ENDPOINT) ?? 'https://huggingface.co',
    cache: expanded(environment.HF_HUB_CACHE, environment) ?? expanded(environment.HUGGINGFACE_HUB_CACHE, environment) ?? join(home, 'hub'),
    token: isImplicit ? given || textOf(tokenFile) : undefined,
    isOffline: isOn(environment.HF_HUB_OFFLINE) || isOn(environment.TRANSFORMERS_OFFLINE),
    timeouts: { answer: seconds(environment.HF_HUB_ETAG_TIMEOUT), download: seconds(environment.HF_HUB_DOWNLOAD_TIMEOUT) },
    links: !isOn(environment.HF_HUB_DISABLE_SYMLINKS),
    environment,
  }
}

/** Where Python's `datasets` keeps what it has prepared: `HF_DATASETS_CACHE`. */
export function datasetsCache(environment: Environment = process.env): string {
  const home = expanded(environment.HF_HOME, environment) ?? join(cacheHome(environment), 'huggingface')
  return expanded(environment.HF_DATASETS_CACHE, environment) ?? join(home, 'datasets')
}

/** The settings of ModelScope 2: `MODELSCOPE_ENDPOINT`, `MODELSCOPE_CACHE`, `MODELSCOPE_API_TOKEN`. It is offline where Hugging Face is. */
export function modelScopeSettings(environment: Environment = process.env): HubSettings {
  const domain = environment.MODELSCOPE_DOMAIN
  const site = isOn(environment.MODELSCOPE_PREFER_AI_SITE) ? 'https://www.modelscope.ai' : 'https://www.modelscope.cn'
  const home = expanded(environment.MODELSCOPE_HOME, environment) ?? join(homeOf(environment), '.modelscope')
  const credentials = expanded(environment.MODELSCOPE_CREDENTIALS_PATH, environment) ?? join(home, 'credentials')
  return {
    ...huggingFaceSettings(environment),
    endpoint: withoutSlash(environment.MODELSCOPE_ENDPOINT) ?? withoutSlash(domain && `https://${domain}`) ?? site,
    cache: expanded(environment.MODELSCOPE_CACHE, environment) ?? join(cacheHome(environment), 'modelscope'),
    token: environment.MODELSCOPE_API_TOKEN?.trim() || textOf(join(credentials, 'git_token')),
    links: false,
  }
}

function isOn(value: string | undefined): boolean {
  return /^(?:1|on|yes|true)$/i.test(value ?? '')
}

function seconds(value: string | undefined): number {
  const given = Number(value)
  return given > 0 ? given * 1000 : 10_000
}

function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/\/+$/, '') || undefined
}

function homeOf(environment: Environment): string {
  return environment.HOME ?? homedir()
}

function cacheHome(environment: Environment): string {
  return expanded(environment.XDG_CACHE_HOME, environment) ?? join(homeOf(environment), '.cache')
}

/** Expands `~` and `$VAR`, as Python's clients do. */
function expanded(path: string | undefined, environment: Environment): string | undefined {
  if (path === undefined || path.trim() === '') return undefined
  const whole = path.replace(/\$\{?(\w+)\}?/g, (given, name: string) => environment[name] ?? given)
  return resolve(whole.replace(/^~(?=\/|$)/, homeOf(environment)))
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
