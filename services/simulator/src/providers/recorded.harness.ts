import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const fixturesDir = join(__dirname, '../../../../packages/rails/fixtures')

/** A body as it was recorded: what both sides of the wire are held against, for neither reads the other's code. */
export function recorded(
  provider: 'mtn-momo' | 'airtel-money' | 'card',
  name: string,
): RecordedBody {
  const file = JSON.parse(readFileSync(join(fixturesDir, provider, `${name}.json`), 'utf8'))
  return { status: file.status, body: file.body ?? file.bodyText }
}

export interface RecordedBody {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
}
