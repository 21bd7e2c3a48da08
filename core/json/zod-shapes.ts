/** Shapes in zod that many contracts share. */
import { z } from 'zod'

/** A list whose type is readonly, as all answers are. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** A flag of a query string: `1`, `true`, and the bare name mean yes. */
export const queryFlag = z
  .enum(['', '0', '1', 'true', 'false'])
  .transform(text => text === '' || text === '1' || text === 'true')
