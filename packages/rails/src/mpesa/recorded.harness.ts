import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Recorded {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

/** A recorded body of Daraja, byte for byte as it would arrive. Only tests read these. */
export function recorded(name: string): Recorded {
  const path = join(__dirname, '../../fixtures/mpesa', `${name}.json`)
  const file = JSON.parse(readFileSync(path, 'utf8')) as {
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
}
