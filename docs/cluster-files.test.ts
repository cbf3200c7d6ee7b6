import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { commands } from '../packages/rolecall/src/cli/commands.ts'
import { ownCommandWords } from '../packages/rolecall/src/cli/words/command-words.ts'
import { guardRepeats } from '../packages/rolecall/src/cli/words/list-words.ts'
import { blocksOf } from './page.ts'

// The Kubernetes and Compose files of clusters.md cannot be run here. Their structure is checked against the fields that they use, as the
// Kubernetes API (batch/v1) and the Compose specification define them: an unknown or misspelt field fails.

const page = { text: readFileSync(new URL('clusters.md', import.meta.url), 'utf8') }
const documents = blocksOf(page)
  .filter(({ language }) => language === 'yaml')
  .flatMap(({ code }) => parseAllDocuments(code).map((document) => document.toJS() as Record<string, unknown>))

const positive = z.int().positive()
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
const rule = z
  .strictObject({
    action: z.enum(['FailJob', 'FailIndex', 'Ignore', 'Count']),
    onExitCodes: z
      .strictObject({ containerName: name.optional(), operator: z.enum(['In', 'NotIn']), values: z.array(z.int().min(1).max(255)).min(1) })
      .optional(),
    onPodConditions: z
      .array(z.strictObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) }))
      .min(1)
      .optional(),
  })
  .refine((one) => (one.onExitCodes === undefined) !== (one.onPodConditions === undefined), 'either exit codes or conditions')
const container = z.strictObject({
  name,
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name }) })).optional(),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string().startsWith('/') })).optional(),
})
const jobSchema = z
  .strictObject({
    apiVersion: z.literal('batch/v1'),
    kind: z.literal('Job'),
    metadata: z.strictObject({ name }),
    spec: z.strictObject({
      parallelism: positive.optional(),
      completions: positive.optional(),
      completionMode: z.enum(['Indexed', 'NonIndexed']).optional(),
      backoffLimit: positive.optional(),
      backoffLimitPerIndex: positive.optional(),
      maxFailedIndexes: positive.optional(),
      podFailurePolicy: z.strictObject({ rules: z.array(rule).min(1).max(20) }).optional(),
      template: z.strictObject({
        spec: z.strictObject({
          restartPolicy: z.enum(['OnFailure', 'Never']),
          terminationGracePeriodSeconds: positive.optional(),
          containers: z.array(container).min(1),
          volumes: z.array(z.strictObject({ name, persistentVolumeClaim: z.strictObject({ claimName: name }) })).optional(),
        }),
      }),
    }),
  })
  .superRefine(({ spec }, context) => {
    const { template, podFailurePolicy, completionMode, completions, maxFailedIndexes } = spec
    const refuse = (isWrong: boolean, message: string) => isWrong && context.addIssue({ code: 'custom', message })
    // Rules of the API server that the schema of the fields cannot express.
    refuse(podFailurePolicy !== undefined && template.spec.restartPolicy !== 'Never', 'podFailurePolicy needs restartPolicy Never')
    refuse(completionMode === 'Indexed' && completions === undefined, 'an indexed Job needs completions')
    refuse(spec.backoffLimitPerIndex !== undefined && completionMode !== 'Indexed', 'backoffLimitPerIndex needs an indexed Job')
    refuse((maxFailedIndexes ?? 0) > (completions ?? 0) && completionMode === 'Indexed', 'maxFailedIndexes is at most completions')
    const [containers, volumes] = [template.spec.containers, template.spec.volumes ?? []]
    for (const { containerName } of podFailurePolicy?.rules.flatMap(({ onExitCodes }) => onExitCodes ?? []) ?? []) {
      refuse(containerName !== undefined && !containers.some((one) => one.name === containerName), `no container ${containerName}`)
    }
    for (const { name: mounted } of containers.flatMap(({ volumeMounts }) => volumeMounts ?? [])) {
      refuse(!volumes.some((volume) => volume.name === mounted), `no volume ${mounted}`)
    }
  })

const service = z.strictObject({
  image: z.string(),
  command: z.string(),
  volumes: z.array(z.string()).optional(),
  environment: z.array(z.string()).optional(),
  healthcheck: z.strictObject({ test: z.array(z.string()), interval: z.string().regex(/^\d+s$/) }).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) })).optional(),
  deploy: z.strictObject({ replicas: positive }).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
})
const composeSchema = z.strictObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.strictObject({})) })

const loaded = new Map<string, Command>()
for (const { name: command, load } of commands) loaded.set(command, await load())

/** Checks the flags of a command and their values, without running it: commands are shared with other tests. */
function check([program, ...given]: readonly string[]): void {
  expect(program).toBe('rolecall')
  const [command = '', ...words] = ownCommandWords(given).args
  // As the command line does: a flag that another test gave is not given twice here.
  guardRepeats(loaded.get(command)!)
  const { options } = loaded.get(command)!
  for (const [index, word] of words.entries()) {
    if (!word.startsWith('-')) continue
    const option = options.find(({ short, long }) => word === short || word === long)
    expect(option, word).toBeDefined()
    const value = words[index + 1]
    if (option!.required || (option!.optional && value !== undefined && !value.startsWith('-'))) {
      expect(value, word).toBeDefined()
      expect(() => option!.parseArg?.(value!, undefined)).not.toThrow()
    }
  }
}

test('the Kubernetes Jobs are valid, and their commands have these flags', () => {
  vi.stubEnv('JOB_COMPLETION_INDEX', '0')
  const jobs = documents.filter(({ kind }) => kind !== undefined).map((one) => jobSchema.parse(one))
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['rolecall-workers', 'rolecall-run', 'rolecall-shards'])
  for (const { spec } of jobs) for (const { command } of spec.template.spec.containers) check(command)
})

test('the Compose file is valid, and its commands have these flags', () => {
  const { services } = composeSchema.parse(documents.find((one) => 'services' in one))
  for (const { command, depends_on } of Object.values(services)) {
    if (command.startsWith('rolecall')) check(command.split(' '))
    for (const needed of Object.keys(depends_on ?? {})) expect(services[needed]?.healthcheck).toBeDefined()
  }
})

test.each([
  ['comand', (job: string) => job.replace('command:', 'comand:')],
  ['restartPolicy Never', (job: string) => job.replace('restartPolicy: Never', 'restartPolicy: OnFailure')],
  ['no container', (job: string) => job.replace('containerName: run', 'containerName: other')],
  ['values', (job: string) => job.replace('[3, 4]', '[0]')],
  ['no volume', (job: string) => job.replace('volumes: [{ name: work', 'volumes: [{ name: other')],
])('a Job with a mistake is noticed: %s', (reason, change) => {
  const [text] = blocksOf(page).filter(({ code }) => code.includes('rolecall-shards'))
  const [changed] = parseAllDocuments(change(text!.code))
  expect(change(text!.code)).not.toBe(text!.code)
  expect(() => jobSchema.parse(changed!.toJS())).toThrow(reason)
})
