import * as z from '../../base/schema/schema.ts'

/** Text or token ids before or after a role's words, as documents 000 and 001 allow. */
export const affixSchema = z
  .union([z.string(), z.array(z.union([z.string(), z.int().check(z.nonnegative())]))])
  .check(z.describe('Text, or a list of strings and token ids.'))
