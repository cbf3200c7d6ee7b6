import { nearestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { ReplySyntax } from '../syntax.ts'
import { syntaxAliases } from './aliases.ts'
import * as json from './json-calls.ts'
import * as messages from './messages.ts'
import * as named from './named-calls.ts'
import { reasoning, think } from './plain-replies.ts'
import * as python from './python-calls.ts'
import * as tagged from './tagged-calls.ts'

/** The syntaxes that come with Rolecall, by name. */
export const replySyntaxes = {
  internlm2: json.internlm2,
  'intern-s1': json.internS1,
  hermes: json.hermes,
  llama3: json.llama3,
  mistral: named.mistral,
  deepseek: named.deepseek,
  'deepseek-dsml': tagged.deepseekDsml,
  'qwen3-coder': tagged.qwen3Coder,
  'gpt-oss': messages.gptOss,
  gemma4: tagged.gemma4,
  functiongemma: tagged.functiongemma,
  glm: tagged.glm,
  'glm4-json': named.glm4Json,
  'kimi-k2': named.kimiK2,
  'kimi-k3': tagged.kimiK3,
  'minimax-m1': json.minimaxM1,
  'minimax-m2': tagged.minimaxM2,
  'minimax-m3': tagged.minimaxM3,
  'seed-oss': tagged.seedOss,
  'hunyuan-v3': tagged.hunyuanV3,
  'tool-calls-list': json.toolCallsList,
  'hunyuan-a13b': json.hunyuanA13b,
  apriel: json.apriel,
  ernie45: json.ernie45,
  granite: json.granite,
  granite4: json.granite4,
  'granite-20b-fc': json.granite20b,
  cohere: json.cohere,
  'command-r': json.commandR,
  pythonic: python.pythonic,
  lfm2: python.lfm2,
  olmo3: python.olmo3,
  step3: tagged.step3,
  xlam: json.xlam,
  'phi4-mini': json.phi4Mini,
  apertus: json.apertus,
  'nemotron-nano-v2': json.nemotronNanoV2,
  'firefunction-v2': json.firefunctionV2,
  'functionary-v3.1': named.functionary31,
  'functionary-v3.2': messages.functionary32,
  'solar-open': named.solarOpen,
  'solar-open2': tagged.solarOpen2,
  dots: tagged.dots,
  inkling: json.inkling,
  longcat: json.longcat,
  gigachat3: json.gigachat3,
  gigachat35: tagged.gigachat35,
  'k2-horizon': tagged.k2Horizon,
  minicpm5: tagged.minicpm5,
  'muse-glimmer': messages.museGlimmer,
  'reka-edge': json.rekaEdge,
  think,
  reasoning,
} satisfies Record<string, ReplySyntax>

export type FamilyName = keyof typeof replySyntaxes

/** Names by which a syntax can be chosen: ours, and those that vLLM and SGLang use. */
export type SyntaxName = FamilyName | keyof typeof syntaxAliases

export const syntaxNames = [...Object.keys(replySyntaxes), ...Object.keys(syntaxAliases)] as readonly SyntaxName[]

/** Every alias names a family: checked here, so that `aliases.ts` need not import the families. */
const aliases: Readonly<Record<keyof typeof syntaxAliases, FamilyName>> = syntaxAliases

/** A syntax by its name, ours or one that vLLM or SGLang uses. */
export function replySyntax(name: string): ReplySyntax {
  const own: string = Object.hasOwn(aliases, name) ? aliases[name as keyof typeof aliases] : name
  if (Object.hasOwn(replySyntaxes, own)) return replySyntaxes[own as FamilyName]
  const near = nearestName(name, syntaxNames)
  throw new PromptError('unknown-syntax', {
    where: 'syntax',
    problem: `there is no syntax "${name}"`,
    fix: near === undefined ? `use one of ${Object.keys(replySyntaxes).join(', ')}` : `did you mean "${near}"?`,
  })
}
