import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Recorded {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

/** The recorded bodies of one provider, byte for byte as they would arrive. Only tests read these. */
export function recordings(provider: string) {
  const folder = join(__dirname, '../fixtures', provider)
  return {
    names: readdirSync(folder).map((file) => file.slice(0, -'.json'.length)),
    recorded: (name: string): Recorded => {
      const file = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
        status?: number
        contentType?: string
        body?: unknown
        bodyText?: string
      }
      return {
        status: file.status ?? 200,
        contentType: file.contentType ?? 'application/json',
        body: Buffer.from(file.bodyText ?? JSON.stringify(file.body)),
      }
    },
  }
}
