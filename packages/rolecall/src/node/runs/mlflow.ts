import { PromptError, redactMessage } from '@rolecall/core/internal/errors'
import type { MlflowRun } from '../../compat/publish/mlflow-run.ts'
import { checkHeaders, serviceAddress } from './service-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A tracking server of MLflow, from the variables of its clients. */
export type MlflowServer = { address: URL; headers: Record<string, string>; experiment: { id: string } | { name: string } | undefined }

/** Reads `MLFLOW_TRACKING_URI`, `MLFLOW_TRACKING_TOKEN` or `…_USERNAME` and `…_PASSWORD`, and `MLFLOW_EXPERIMENT_ID` or `…_NAME`. */
export function mlflowServer(environment: Environment): MlflowServer {
  const { address, headers: credentials } = serviceAddress(environment.MLFLOW_TRACKING_URI, {
    variable: 'MLFLOW_TRACKING_URI',
    service: 'tracking server',
    example: 'http://127.0.0.1:5000',
  })
  const { MLFLOW_TRACKING_TOKEN: token, MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: password = '' } = environment
  const { MLFLOW_EXPERIMENT_ID: id, MLFLOW_EXPERIMENT_NAME: name } = environment
  const own: Record<string, string> = token
    ? { authorization: `Bearer ${token}` }
    : user
      ? { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
      : credentials
  const headers = { 'content-type': 'application/json', ...own }
  checkHeaders(headers, 'MLFLOW_TRACKING_TOKEN', 'write the token without line breaks')
  return { address, headers, experiment: id ? { id } : name ? { name } : undefined }
}

/** Creates finished runs in an experiment, which is created if it does not exist; returns its address for people. */
export async function sendToMlflow(server: MlflowServer, runs: readonly MlflowRun[], fallbackName: string): Promise<string> {
  const { experiment = { name: fallbackName } } = server
  const id = 'id' in experiment ? experiment.id : await experimentId(server, experiment.name)
  for (const { name, started, params, metrics, tags } of runs) {
    const created = await ask(server, 'runs/create', { experiment_id: id, run_name: name, start_time: started, tags })
    const run_id = textAt(created, 'run', 'info', 'run_id')
    const end = (status: string) => ask(server, 'runs/update', { run_id, status, end_time: Date.now() })
    try {
      for (let from = 0; from === 0 || from < metrics.length; from += mostMetrics)
        await ask(server, 'runs/log-batch', { run_id, metrics: metrics.slice(from, from + mostMetrics), ...(from === 0 ? { params } : {}) })
    } catch (error) {
      // Otherwise the tracking server shows a run that goes on for ever.
      await end('FAILED').catch(() => undefined)
      throw error
    }
    await end('FINISHED')
  }
  return `${addressOf(server, '')}/#/experiments/${id}`
}

/** In one request, with the parameters: MLflow takes 1000 of both. */
const mostMetrics = 900

/** How long the server may take to reply, in milliseconds. */
const replyTime = 60_000

async function experimentId(server: MlflowServer, name: string): Promise<string> {
  const found = await send(server, `experiments/get-by-name?${new URLSearchParams({ experiment_name: name })}`)
  if (found.status !== 404) return textAt(await bodyOf(server, found), 'experiment', 'experiment_id')
  await found.body?.cancel()
  return textAt(await ask(server, 'experiments/create', { name }), 'experiment_id')
}

async function ask(server: MlflowServer, path: string, body: object): Promise<unknown> {
  return bodyOf(server, await send(server, path, body))
}

async function send(server: MlflowServer, path: string, body?: object): Promise<Response> {
  const address = `${addressOf(server, '/api/2.0/mlflow/')}${path}`
  const signal = AbortSignal.timeout(replyTime)
  const init = { headers: server.headers, signal, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) }
  return fetch(address, init).catch((error: Error & { cause?: Error }) => {
    throw notSent(server, error.cause?.message ?? error.message)
  })
}

async function bodyOf(server: MlflowServer, reply: Response): Promise<unknown> {
  const text = await reply.text().catch((error: Error) => {
    throw notSent(server, error.message)
  })
  if (!reply.ok) throw notSent(server, `HTTP ${reply.status}: ${redactMessage(text).slice(0, 300)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw notSent(server, 'its reply is not JSON')
  }
}

function notSent(server: MlflowServer, problem: string): PromptError {
  return new PromptError('not-sent', {
    where: addressOf(server, ''),
    problem: `the tracking server did not accept the run: ${problem}`,
    fix: 'check MLFLOW_TRACKING_URI, and MLFLOW_TRACKING_TOKEN or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD',
  })
}

/** A server may be below a path. */
function addressOf({ address }: MlflowServer, path: string): string {
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}${path}`
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((one, key) => (Object(one) as Record<string, unknown>)[key], value)
  if (typeof found === 'string' && found !== '') return found
  throw new PromptError('not-sent', {
    where: 'MLFLOW_TRACKING_URI',
    problem: `the reply has no ${path.join('.')}: this is not a tracking server of MLflow`,
    fix: 'set it to the address of one, e.g. http://127.0.0.1:5000',
  })
}
