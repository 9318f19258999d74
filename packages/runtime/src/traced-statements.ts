import type { PoolClient, QueryConfig } from 'pg'
import { openSpan } from './telemetry'

type Query = (...given: readonly unknown[]) => unknown
type Done = (error: unknown, result: unknown) => void

/** Gives each statement of a connection a span within the work that asked for it, named as the statement is. */
export function traceStatements(client: PoolClient): void {
  const query = client.query.bind(client) as Query
  const traced: Query = (...given) => {
    const span = openSpan(nameOf(given[0]), {
      kind: 'CLIENT',
      attributes: { 'db.system.name': 'postgresql' },
    })
    if (span.traceparent === undefined) return query(...given)
    const last = given.at(-1)
    if (typeof last === 'function') {
      const done: Done = (error, result) => {
        span.end({ isError: error instanceof Error })
        ;(last as Done)(error, result)
      }
      return query(...given.slice(0, -1), done)
    }
    const answered = query(...given)
    if (answered instanceof Promise) {
      answered.then(
        () => {
          span.end({ isError: false })
        },
        () => {
          span.end({ isError: true })
        },
      )
    } else span.end({ isError: false })
    return answered
  }
  Object.assign(client, { query: traced })
}

/** Our own statements have names. Prisma's are named by a digest, so theirs is the verb. Values are in neither. */
function nameOf(given: unknown): string {
  const { name, text = '' } = (
    typeof given === 'string' ? { text: given } : given
  ) as Partial<QueryConfig>
  if (name !== undefined && !/^[0-9a-f]{32}$/.test(name)) return name
  return /\w+/.exec(text)?.[0].toUpperCase() ?? 'statement'
}
