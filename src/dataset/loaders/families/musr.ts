import { type PyValue, pyStr } from '../../../python/index.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import { fromList } from '../table.ts'
import { at, type Dict, dictOf, get, isTrue, listAt, row } from '../values.ts'
import { musrHints } from './musr-hints.ts'

function prompt(
  context: PyValue,
  question: PyValue,
  choices: string,
  { hint, isBeforeQuestion }: { hint: string; isBeforeQuestion: boolean },
): string {
  const asked = pyStr(at(question, 'question'))
  return [
    pyStr(context),
    ...(isBeforeQuestion ? [hint] : []),
    asked,
    `Pick one of the following choices:\n${choices}`,
    `You must pick one option. ${isBeforeQuestion ? '' : `${hint} `}Explain your reasoning step by step before you answer. ` +
      'Finally, the last thing you generate should be "ANSWER: (your answer here, including the choice number)"',
  ].join('\n\n')
}

/** Stories that differ only in what is asked count once, where the config says so; or only those after the first. */
function withoutTwins(stories: readonly Dict[], settings: Settings): Dict[] {
  if (!settings.flag('exclude_contrastive_examples')) return [...stories]
  const isReversed = settings.flag('reverse_contrastive_sample')
  const seen = new Set<string>()
  return stories.filter((story) => {
    const known = get(at(listAt(story, 'questions'), 0), 'intermediate_data')
    const hash = isTrue(known) ? get(at(known, 0), 'story_hash_id') : null
    if (!isTrue(hash)) return true
    const isKnown = seen.has(pyStr(hash))
    seen.add(pyStr(hash))
    return isKnown === isReversed
  })
}

/** Stories with questions; the prompt and the number of the right choice are made here. */
export const musr: Loader = {
  reads: `a folder with {name}.json, one of ${Object.keys(musrHints).join(', ')}`,
  takes: [
    'path',
    'name',
    'self_consistency_n?',
    'exclude_contrastive_examples?',
    'reverse_contrastive_sample?',
    'skip_ablated?',
    'randomize?',
    'offset?',
    'sample_size?',
    '*',
  ],
  async load(data, settings) {
    const hint = Object.hasOwn(musrHints, settings.name) ? musrHints[settings.name] : undefined
    if (!hint) throw new BadData(`"name" is none of ${Object.keys(musrHints).join(', ')}`)
    const path = joinPath(await data.path(settings.path), `${settings.name}.json`)
    const stories = withoutTwins(await data.list(path), settings)
    const offset = Number(settings.get('offset') ?? 0)
    const size = settings.get('sample_size')
    const chosen = stories.slice(offset, isTrue(size) ? offset + Math.min(stories.length, Number(size)) : undefined)
    const times = Number(settings.get('self_consistency_n') ?? 1)
    const rows = chosen.flatMap((story) =>
      listAt(story, 'questions').flatMap((question) => {
        const choices = listAt(question, 'choices')
        const numbered = choices.map((choice, index) => `${index + 1} - ${pyStr(choice)}`).join('\n')
        const answer = at(question, 'answer')
        if (typeof answer !== 'number') throw new BadData(`the answer ${pyStr(answer)} is not a number`, path)
        return Array.from({ length: times }, (_, sample) =>
          row({
            context: at(story, 'context'),
            question_text: at(question, 'question'),
            question: dictOf(question),
            answer,
            choices,
            choices_str: numbered,
            intermediate_trees: get(question, 'intermediate_trees', []),
            intermediate_data: get(question, 'intermediate_data', []),
            prompt: prompt(at(story, 'context'), question, numbered, hint),
            system_prompt: 'You are a helpful assistant that will answer the questions given by the user.',
            gold_answer: answer + 1,
            scidx: sample,
            self_consistency_n: times,
            ablation_name: 'cot+',
          }),
        )
      }),
    )
    return fromList(rows)
  },
}
