import { type Answer, ask } from '../ask'

/** A movement of money, as the simulator shows it. */
export interface BookRow {
  readonly receipt: string
  readonly provider: string
  readonly kind: string
  readonly account: string
  readonly amount: string
  readonly at: string
}

export interface Books {
  readonly home: readonly BookRow[]
  readonly guests: readonly BookRow[]
  readonly nowMs: number
}

/** Reads the books of the default session and of every other live one, and then the clock. */
export async function readBooks(url: string): Promise<Books> {
  const { session, sessions } = JSON.parse((await askSimulator(url, '/meta')).body) as Meta
  const bookOf = (name: string) => readBook(`${url}/s/${name}`)
  const guests = await Promise.all(sessions.filter((name) => name !== session).map(bookOf))
  const home = await bookOf(session)
  // A row is dated by the real clock of the simulator; `now` of the session is ahead of it by each jump.
  const clock = await askSimulator(`${url}/s/${session}`, '/clock')
  const { real } = JSON.parse(clock.body) as { readonly real: string }
  return { home, guests: guests.flat(), nowMs: Date.parse(real) }
}

/** The most that the simulator answers at once. */
const pageRowsMax = 100_000

/** Reads all rows of a session, page by page: each answer names where the next begins, until the last. */
export async function readBook(sessionUrl: string, pageRows = pageRowsMax): Promise<BookRow[]> {
  const pages: BookRow[][] = []
  let since: string | string[] | undefined = '0'
  while (since !== undefined) {
    const query = `limit=${String(pageRows)}&since=${String(since)}`
    const { body, headers }: Answer = await askSimulator(sessionUrl, `/book?${query}`)
    pages.push(JSON.parse(body) as BookRow[])
    since = headers['x-sim-next']
  }
  return pages.flat()
}

/** The fields of `GET /meta` that this audit reads. */
interface Meta {
  readonly session: string
  readonly sessions: readonly string[]
}

async function askSimulator(base: string, path: string): Promise<Answer> {
  const answer = await ask(`${base}/sim/v1${path}`, 30_000)
  if (answer.status !== 200) throw new Error(`The simulator, ${path}: ${String(answer.status)}`)
  return answer
}
