import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { check, PromptError, suggestName } from '@rolecall/core/internal/errors'
import { compareCodePoints } from '@rolecall/core/internal/python'
import type { z } from 'zod'
import { type DatasetPreset, datasetPresets, type FileLayout } from '../../compat/benchmarks/index.ts'
import { groupsOf } from '../../compat/benchmarks/preset.ts'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { presetUseSchema } from '../../evaluation/config/preset-schema.ts'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'
import { pathSteps } from '../platform.ts'
import { readWholeText } from '../read-whole-file.ts'
import { expandPaths } from '../rows/expand-paths.ts'
import { overridePreset } from './override-preset.ts'

type PresetUse = z.output<typeof presetUseSchema>

/** The datasets and groups of a preset; notes list what was left out. */
export type OpenedPreset = { datasets: DatasetConfig[]; groups: SummaryGroup[]; notes: Note[] }

/** Turns the files in a folder into the datasets of a preset, plus the summary groups they belong to. */
export function openPreset(given: unknown, folder: string, where: string): OpenedPreset {
  const use = check(presetUseSchema, given, where)
  const { preset, mode } = presetNamed(use, where)
  if (use.path === undefined)
    throw new PromptError('missing', {
      where: `${where}.path`,
      problem: preset.hub ? 'its files are not here' : `the files of "${preset.name}" are not on a hub`,
      fix: preset.hub ? `give the folder that has them, or hf://datasets/${preset.hub.name}` : 'give the folder that has them',
    })
  const data = resolve(folder, use.path)
  if (!existsSync(data))
    throw new PromptError('no-file', { where: `${where}.path`, problem: `there is no folder ${use.path}`, fix: 'check the path' })
  const { layout, subjects } = filesOf(preset, data, `${where}.path`)
  const known = [...subjects.keys()]
  const named = use.subjects ? chooseSubjects(use.subjects, known, `${where}.subjects`) : known
  const { chosen, notes } = leaveOut(preset, named, use.subjects !== undefined, where)
  const suffix = mode === preset.modes[0] ? '' : `_${mode}`
  const name = use.abbr ?? preset.name
  const abbrOf = new Map(chosen.map((subject) => [subject, `${subject === '' ? name : `${name}_${subject}`}${suffix}`]))
  const datasets = chosen.map((subject): DatasetConfig => {
    const { test, train, hint, answers } = subjects.get(subject)!
    const shots = use.shots ?? preset.shots
    const shipped = preset.dataset({ mode, shots, subject, hint })
    const made = { ...shipped, ...overridePreset(shipped, preset.name, use, where) }
    return {
      abbr: abbrOf.get(subject)!,
      path: single(test),
      ...(train.length > 0 ? { train_path: single(train) } : {}),
      ...(layout.columns ? { columns: [...layout.columns] } : {}),
      ...(layout.fileType ? { file_type: layout.fileType } : {}),
      ...(layout.answers && (preset.hasAnswers?.(subject) ?? true)
        ? { answers_path: answers ?? noAnswers(layout.answers, subject, where) }
        : {}),
      ...made,
      // Without a training file, the first rows become the examples and are not evaluated: a prompt must not contain its own answer.
      ...(train.length === 0 && !made.train_rows && made.infer_cfg.retriever?.fix_id_list
        ? { reader_cfg: { ...made.reader_cfg, test_range: `[${shots}:]`, train_range: `[:${shots}]` } }
        : {}),
    }
  })
  return { datasets, groups: groupsOf({ ...preset, name }, abbrOf, suffix), notes }
}

/** Keeps the subjects that can be scored. Others are an error if the config names them, otherwise a note. */
function leaveOut(
  { unscored = [], name }: DatasetPreset,
  named: readonly string[],
  isExplicit: boolean,
  where: string,
): { chosen: string[]; notes: Note[] } {
  const whyNot = (subject: string) => unscored.find(([names]) => names.test(subject))?.[1]
  const chosen = named.filter((subject) => whyNot(subject) === undefined)
  const left = named.filter((subject) => whyNot(subject) !== undefined)
  if (left.length > 0 && (isExplicit || chosen.length === 0)) {
    throw new PromptError('unscored-subject', {
      where: isExplicit ? `${where}.subjects` : `${where}.path`,
      problem: `"${left[0]}" of ${name} cannot be scored: ${whyNot(left[0]!)}`,
      fix: 'leave it out',
    })
  }
  const text = left.map((subject) => `${subject} (${whyNot(subject)})`).join(', ')
  return {
    chosen,
    notes: left.length === 0 ? [] : [{ code: 'subjects-left-out', where, text: `left out, as they cannot be scored: ${text}` }],
  }
}

function noAnswers(pattern: string, subject: string, where: string): never {
  throw new PromptError('no-file', {
    where: `${where}.path`,
    problem: `there is no ${pattern.replaceAll('{subject}', subject)} with the answers of "${subject}"`,
    fix: 'put it there, or name other subjects',
  })
}

const nameAndMode = /^(.*?)(?:_(gen|ppl))?$/

/** `mmlu`, also as `mmlu_gen` or `mmlu_ppl`, as OpenCompass's users write it. */
export function findPreset(name: string): DatasetPreset | undefined {
  const [, stem] = nameAndMode.exec(name)!
  return datasetPresets.find((one) => one.name === name) ?? datasetPresets.find((one) => one.name === stem)
}

/** Whether a folder has the files of a preset. */
export function hasPresetFiles(preset: DatasetPreset, folder: string): boolean {
  return preset.layouts.some((layout) => subjectsIn(layout, folder, preset.not ?? []).size > 0)
}

function presetNamed({ preset: name, mode }: PresetUse, where: string): { preset: DatasetPreset; mode: DatasetPreset['modes'][number] } {
  const [, , suffix] = nameAndMode.exec(name)!
  const preset = findPreset(name)
  if (!preset) {
    throw new PromptError('unknown-preset', {
      where: `${where}.preset`,
      problem: `there is no preset "${name}"`,
      fix: suggestName(
        name,
        datasetPresets.map((one) => one.name),
      ),
    })
  }
  const wanted = mode ?? (suffix as 'gen' | 'ppl' | undefined) ?? preset.modes[0]!
  if (preset.modes.includes(wanted)) return { preset, mode: wanted }
  throw new PromptError('wrong-mode', {
    where: `${where}.mode`,
    problem: `"${preset.name}" does not support ${wanted === 'ppl' ? 'perplexity' : 'generation'}`,
    fix: `leave mode out (${preset.modes.join(', ')})`,
  })
}

type Files = { test: string[]; train: string[]; hint?: string; answers?: string }

/** The first layout that the folder has. */
function filesOf(preset: DatasetPreset, data: string, where: string): { layout: FileLayout; subjects: Map<string, Files> } {
  if (statSync(data).isFile()) return oneFile(preset, data)
  for (const layout of preset.layouts) {
    const subjects = subjectsIn(layout, data, preset.not ?? [])
    if (subjects.size > 0) return { layout, subjects }
  }
  throw new PromptError('no-file', {
    where,
    problem: `${data} has none of the files of "${preset.name}"`,
    fix: `it should have ${preset.layouts.map(({ test }) => test).join(', or ')}`,
  })
}

/** A single file: one of a layout, with its examples where the layout has them, or any file with the same columns. */
function oneFile(preset: DatasetPreset, file: string): { layout: FileLayout; subjects: Map<string, Files> } {
  for (const layout of preset.layouts) {
    const depth = layout.test.split('/').length
    const { root: top, names } = pathSteps(file)
    const root = join(top, ...names.slice(0, -depth))
    for (const [subject, files] of subjectsIn(layout, root, preset.not ?? []))
      if (files.test.includes(file)) return { layout, subjects: new Map([[subject, { ...files, test: [file] }]]) }
  }
  return { layout: { from: 'a file', test: basename(file) }, subjects: new Map([['', { test: [file], train: [] }]]) }
}

function subjectsIn({ test, train, hint, answers }: FileLayout, data: string, not: readonly string[]): Map<string, Files> {
  const found = test.includes('{subject}') ? namesFor(test, data) : ['']
  const entries = found
    .filter((subject) => !not.includes(subject))
    .flatMap((subject): [string, Files][] => {
      const files = (pattern: string | undefined) => (pattern === undefined ? [] : existing(pattern.replaceAll('{subject}', subject), data))
      const tests = files(test)
      const [text] = files(hint)
      const [right] = files(answers)
      return tests.length === 0
        ? []
        : [[subject, { test: tests, train: files(train), ...(text ? { hint: hintText(text) } : {}), ...(right ? { answers: right } : {}) }]]
    })
  return new Map(entries)
}

/** The names that replace `{subject}` in existing files. */
function namesFor(pattern: string, data: string): string[] {
  const parts = pattern.split('/')
  const at = parts.findIndex((part) => part.includes('{subject}'))
  const folder = join(data, ...parts.slice(0, at))
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const [before, after] = parts[at]!.split('{subject}') as [string, string]
  return readdirSync(folder)
    .filter(
      (name) => name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length && !name.startsWith('.'),
    )
    .map((name) => name.slice(before.length, name.length - after.length))
    .sort(compareCodePoints)
}

function existing(pattern: string, data: string): string[] {
  try {
    return expandPaths(pattern, data, '').filter((path) => existsSync(path))
  } catch (error) {
    if (error instanceof PromptError) return []
    throw error
  }
}

/** BIG-Bench's text files start with a canary string against training on them, and a line of dashes. */
function hintText(file: string): string {
  const text = readWholeText(file)
  return text.slice(text.startsWith('BIG-bench canary') || /^.*canary/i.test(text) ? text.indexOf('-----') + 5 : 0).trim()
}

function chooseSubjects(wanted: readonly string[], known: readonly string[], where: string): string[] {
  for (const subject of wanted) {
    if (known.includes(subject)) continue
    throw new PromptError('unknown-subject', { where, problem: `there are no files for "${subject}"`, fix: suggestName(subject, known) })
  }
  return known.filter((subject) => wanted.includes(subject))
}

function single(paths: readonly string[]): string | string[] {
  return paths.length === 1 ? paths[0]! : [...paths]
}
