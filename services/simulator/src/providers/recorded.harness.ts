import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const fixturesDir = join(__dirname, '../../../../packages/rails/fixtures')

/** Reads a recorded body. Our client and the simulator are both tested against it, neither against the other's code. */
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
