/** zod schemas that many contracts share. */
import { z } from 'zod'

/** Returns a list with a readonly type, as in all answers. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** A flag of a query string: `1`, `true`, and the name without a value are true. */
export const queryFlag = z
  .enum(['', '0', '1', 'true', 'false'])
  .transform(text => text === '' || text === '1' || text === 'true')
