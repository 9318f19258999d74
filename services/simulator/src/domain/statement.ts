import type { Book, BookRow, StatementWindow } from './book'
import type { World } from './world'

/**
 * What a provider's statement shows: the rows of this book and, at home, of the sessions that share its wire. A stack
 * that knows of no session asks for its statement at home, whosoever phones it rang.
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
