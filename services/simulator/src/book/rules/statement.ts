import type { Book, BookRow, StatementWindow } from './book'
import type { World } from '../../sessions/rules/world'

/**
 * The rows of a provider's statement: this session's book and, for the home session, those of the sessions that share
 * its API. A stack without a session reads its statement from the home session.
 */
export function readStatement(
  { book, otherBooks }: Pick<World, 'book' | 'otherBooks'>,
  business: string,
  window: StatementWindow,
): readonly BookRow[] {
  const others = otherBooks()
  if (others.length === 0) return book.between(business, window)
  const { offset, limit } = window
  const whole = { ...window, offset: 0, limit: offset + limit }
  const read = (one: Book) => one.between(business, whole)
  return [book, ...others]
    .flatMap(read)
    .sort((one, other) => one.atMs - other.atMs)
    .slice(offset, offset + limit)
}
