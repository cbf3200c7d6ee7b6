import { type FoundModel, readFiles } from './read-files.ts'

const hub = 'https://huggingface.co'
const repositoryName = /^[\w.-]{1,96}\/[\w.-]{1,96}$/

/** Files of a model that say how its chats are written. The tokenizer has megabytes: it comes last. */
const wanted = ['tokenizer_config.json', 'chat_template.jinja', 'tokenizer.json'] as const

/** A model of the hub, fetched by the reader's browser. Files that a repository does not have are left out; without any, it is an error. */
export async function fetchHubModel(name: string): Promise<FoundModel> {
  const repository = name
    .trim()
    .replace(/^(?:https:\/\/)?huggingface\.co\//, '')
    .replace(/\/(?:tree|blob)\/.*$|\/$/, '')
  if (!repositoryName.test(repository)) throw new Error(`"${name}": expected ORG/NAME`)
  const statuses: string[] = []
  const files = await Promise.all(
    wanted.map(async (file): Promise<File[]> => {
      const response = await fetch(`${hub}/${repository}/resolve/main/${file}`, { credentials: 'omit', referrerPolicy: 'no-referrer' })
      if (!response.ok) {
        statuses.push(`${file}: ${response.status}`)
        return []
      }
      return [new File([await response.blob()], file)]
    }),
  )
  const found = files.flat()
  if (found.length === 0) throw new Error(`${repository}: ${statuses.join(', ')}`)
  return { ...(await readFiles(found)).model, name: repository }
}
