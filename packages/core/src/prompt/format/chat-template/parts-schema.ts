import * as z from '../../../base/schema/schema.ts'
import { partsEngines } from '../parts/parts-engine.ts'

const placeholder = z.optional(z.nullable(z.string()))

/** The setting `parts` of a model. */
export const partsSchema = z.union([
  z.enum(partsEngines),
  z.strictObject({
    engine: z.enum(partsEngines).check(z.describe('The serving stack.')),
    form: z
      .optional(z.enum(['string', 'parts']))
      .check(z.describe("What the template is given, instead of what the stack finds: vLLM's --chat-template-content-format.")),
    architecture: z
      .optional(z.string())
      .check(
        z.describe(
          'For vLLM: the architecture of the model in its config.json, which decides its placeholders, e.g. Qwen2_5_VLForConditionalGeneration.',
        ),
      ),
    placeholders: z
      .optional(z.strictObject({ image: placeholder, audio: placeholder, video: placeholder }))
      .check(z.describe('For vLLM: what is written for media in a template that takes strings; `{i}` is their number, null: nothing.')),
    interleave: z.optional(z.boolean()).check(z.describe('For vLLM: --interleave-mm-strings, placeholders stay where the media are.')),
    accepts: z
      .optional(z.array(z.enum(['image', 'audio', 'video'])))
      .check(z.describe('For transformers serve: the media that the model takes; none for a text model.')),
    media_marker: z
      .optional(z.string())
      .check(z.describe('For llama.cpp: the placeholder of media in the prompt; `<__media__>` by default.')),
  }),
])
