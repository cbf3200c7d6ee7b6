import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, get, integer, isTrue, listAt, type RowDict, row, textAt, textOf } from '../row-values.ts'
import { fromList } from '../table.ts'

type Task = { hint: string; isHintFirst: boolean }

const tasks: Readonly<Record<string, Task>> = {
  murder_mysteries: {
    hint: 'Before selecting a choice, explain your reasoning step by step. The murderer needs to have a means (access to weapon), motive (reason to kill the victim), and opportunity (access to crime scene) in order to have killed the victim. Innocent suspects may have two of these proven, but not all three. An innocent suspect may be suspicious for some other reason, but they will not have all of motive, means, and opportunity established.\n\nIf you believe that both suspects have motive, means, and opportunity, you should make an educated guess and pick the one for whom these are best established. If you believe that neither suspect has all three established, then choose the suspect where these are most clearly established.',
    isHintFirst: false,
  },
  object_placements: {
    hint: 'Based on this story, we want to identify where someone believes that a certain object is at the end of the story. In order to do that, you need to read the story and keep track of where they think the object is at each point. When an object is moved, the person may observe its new location if they saw it move.\n\nTo see where an object ends up, they must be able to see the location that it moves to and not be too distracted by what they are doing. If they do not observe the object moving, then they will still believe it to be in the last location where they observed it.',
    isHintFirst: true,
  },
  team_allocation: {
    hint: "The story should allow you to determine how good each person is at a skill. Roughly, each person is either great, acceptable, or bad at a task. We want to find an optimal assignment of people to tasks that uses their skills as well as possible. In addition, one task will have to have two people assigned to it. The effectiveness of their teamwork (great team, acceptable team, or bad team) also impacts the overall quality of the assignment.\n\nWhen two people need to work on a task and one is bad at it, they don't necessarily benefit from the other person being good, unless they work well together.\n\nWith different strengths, weaknesses, and interpersonal dynamics at play, you should allocate your team to find the single assignment to ensure that the tasks overall are completed as effectively as possible.",
    isHintFirst: false,
  },
}

export const musr: Loader = {
  reads: 'a folder with murder_mysteries.json, object_placements.json and team_allocation.json',
  takes: [
    ...['path', 'name', 'self_consistency_n?', 'exclude_contrastive_examples?', 'reverse_contrastive_sample?', 'skip_ablated?'],
    ...['randomize?', 'offset?', 'sample_size?', '*'],
  ],
  async load(data, settings) {
    const task = Object.hasOwn(tasks, settings.name) ? tasks[settings.name] : undefined
    if (!task) throw new BadData(`the name "${settings.name}" is not known: it is ${Object.keys(tasks).join(', ')}`)
    const stories = await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))
    const kept = settings.flag('exclude_contrastive_examples')
      ? withoutContrast(stories, settings.flag('reverse_contrastive_sample'))
      : stories
    const [offset, size] = [integer(settings.get('offset') ?? 0), integer(settings.get('sample_size') ?? 0)]
    const chosen = kept.slice(offset, size === 0 ? undefined : offset + Math.min(kept.length, size))
    const repeats = integer(settings.get('self_consistency_n') ?? 1)
    const asked = chosen.flatMap((story) => listAt(story, 'questions').map((question) => ({ story, question })))
    return fromList(
      asked.flatMap(({ story, question }) => Array.from({ length: repeats }, (_, index) => rowOf(task, story, question, index, repeats))),
    )
  },
}

/** Of stories that only differ in the right answer, the first; or all but the first. */
function withoutContrast(stories: readonly RowDict[], isReversed: boolean): RowDict[] {
  const seen = new Set<string>()
  return stories.filter((story) => {
    const data = get(at(listAt(story, 'questions'), 0), 'intermediate_data')
    const [first] = Array.isArray(data) ? data : []
    const hash = first === undefined ? null : get(first, 'story_hash_id')
    if (!isTrue(hash)) return true
    const isKnown = seen.has(textOf(hash))
    seen.add(textOf(hash))
    return isKnown === isReversed
  })
}

function rowOf({ hint, isHintFirst }: Task, story: RowDict, question: PyValue, index: number, repeats: number): RowDict {
  const context = textAt(story, 'context')
  const asked = textAt(question, 'question')
  const choices = listAt(question, 'choices')
  const listed = choices.map((choice, place) => `${place + 1} - ${pyStr(choice)}`).join('\n')
  const shown = isHintFirst ? `${context}\n\n${hint}\n\n${asked}` : `${context}\n\n${asked}`
  const rule = `You must pick one option. ${isHintFirst ? '' : `${hint} `}Explain your reasoning step by step before you answer.`
  const end = 'Finally, the last thing you generate should be "ANSWER: (your answer here, including the choice number)"'
  return row({
    context,
    question_text: asked,
    question,
    answer: at(question, 'answer'),
    choices,
    choices_str: listed,
    intermediate_trees: get(question, 'intermediate_trees', []),
    intermediate_data: get(question, 'intermediate_data', []),
    prompt: `${shown}\n\nPick one of the following choices:\n${listed}\n\n${rule} ${end}`,
    system_prompt: 'You are a helpful assistant that will answer the questions given by the user.',
    gold_answer: integer(at(question, 'answer')) + 1,
    scidx: index,
    self_consistency_n: repeats,
    ablation_name: 'cot+',
  })
}
