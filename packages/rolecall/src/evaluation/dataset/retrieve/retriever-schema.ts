import { exampleFields } from '@rolecall/core/internal/conversation'
import { z } from 'zod'
import { fieldsAsZod } from '../../../model/model-types/as-zod.ts'
import type { OwnChoice } from './choose-examples.ts'
import type { Embedder } from './embedder.ts'

/** Functions can only be given in a TypeScript config. */
const functionOf = <Function_>() => z.custom<Function_>((value) => typeof value === 'function')

export const retrieverSchema = z
  .looseObject({
    type: z.string().optional().describe('ZeroRetriever (no examples), FixKRetriever, or another of docs/retrievers.md.'),
    ice_num: z.int().nonnegative().optional().describe('Number of few-shot examples; 1 by default (DPPRetriever 8).'),
    seed: z.int().nonnegative().optional().describe('For RandomRetriever (43 by default) and VotekRetriever (0).'),
    k: z.int().nonnegative().optional().describe('For SlidingWindowRetriever: how many rows before the current one.'),
    tokenizer: z
      .enum(['nltk', 'characters', 'jieba'])
      .optional()
      .describe(
        "For BM25Retriever: nltk's word tokens (the default), characters (for Chinese and Japanese), or Chinese words by jieba (npm install jieba-wasm).",
      ),
    candidate_num: z
      .int()
      .positive()
      .optional()
      .describe('For DPPRetriever and MDLRetriever: how many of the nearest rows they choose from; 24 or 30 by default.'),
    scale_factor: z.number().positive().optional().describe('For DPPRetriever: the smaller, the more similarity counts; 0.1 by default.'),
    select_time: z
      .int()
      .positive()
      .optional()
      .describe('For MDLRetriever: how many sets of examples are tried for each row; 5 by default.'),
    ce_model: z
      .looseObject({ type: z.string().optional() })
      .optional()
      .describe(
        'For MDLRetriever: the model whose certainty is measured, written like an entry of `models`; it must provide log-probabilities.',
      ),
    votek_k: z.int().positive().optional().describe('For VotekRetriever: how many neighbours each row votes for; 5 by default.'),
    embeddings: z
      .union([
        z.strictObject({
          base_url: z.string().describe('An OpenAI-compatible server, e.g. http://127.0.0.1:8000/v1.'),
          model: z.string().describe('The name of its embedding model.'),
          batch_size: z.int().positive().optional().describe('Maximum number of texts per request; 64 by default.'),
          key_env: z.string().optional().describe('The environment variable with the key; OPENAI_API_KEY by default.'),
        }),
        z.literal('energetic-ai'),
        functionOf<Embedder>(),
      ])
      .optional()
      .describe(
        'For TopkRetriever, DPPRetriever and VotekRetriever: where embeddings come from: an endpoint, "energetic-ai" (an offline sentence encoder, in separate packages), in TypeScript also a function.',
      ),
    choose: functionOf<OwnChoice>().optional().describe('In TypeScript: a function that returns the numbers of the examples for a row.'),
    ...fieldsAsZod(exampleFields),
  })
  .describe('Which rows become few-shot examples.')
