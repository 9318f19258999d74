import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A body as it was recorded (the README beside the fixtures says what each key means). */
export interface Fixture {
  readonly status?: number
  readonly body: ReturnType<typeof JSON.parse>
}

const fixturesDir = join(__dirname, '../../../../../packages/rails/fixtures/mpesa')

/** Reads a recorded body. Our client and the simulator share no code, and each is tested against these bodies. */
export function fixture(name: string): Fixture {
  const { status, body, bodyText } = JSON.parse(
    readFileSync(join(fixturesDir, `${name}.json`), 'utf8'),
  )
  return { status, body: body ?? (bodyText === '' ? '' : JSON.parse(bodyText)) }
}

/** The names and types of the fields of a body: `{ResponseCode: 'string', Item: [...]}`. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
}
