import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Reading and writing rows is all that can be granted: no right to empty or alter a table, or to fire its triggers. */
const privilege = z
  .string()
  .regex(/^(?:SELECT|INSERT|DELETE|USAGE|UPDATE(?: \([a-z_]+(?:, [a-z_]+)*\))?)$/, {
    error: 'must be SELECT, INSERT, UPDATE, UPDATE (columns), DELETE or USAGE',
  })
const schema = z.record(z.string(), z.array(privilege))

/** The rights of the running role, by table, view or sequence. An empty list grants nothing. */
export type Grants = z.output<typeof schema>

/** A table, view or sequence of the database. */
export interface Relation {
  readonly name: string
  readonly isSequence: boolean
  /** It is a view that only an earlier release reads: it has no file any more, and no line in grants.json. */
  readonly isOfEarlier: boolean
}

/** The grants of the service in `serviceDir`. Throws with what is wrong about its grants.json. */
export function readGrants(serviceDir: string): Grants {
  const file = join(serviceDir, 'prisma/grants.json')
  const read = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`)
  return read.data
}

/**
 * The statements that give `role` exactly `grants`, and take away all else. Throws when the list is not total: a table
 * without a line, or a line without a table.
 */
export function grantStatements(
  grants: Grants,
  relations: readonly Relation[],
  role: string,
): string[] {
  const missing = relations
    .filter(({ name, isOfEarlier }) => !isOfEarlier && !(name in grants))
    .map(({ name }) => name)
  const unknown = Object.keys(grants).filter((name) => !relations.some((one) => one.name === name))
  const problems = [
    ...missing.map((name) => `${name} has no line: say what the service may do with it`),
    ...unknown.map((name) => `${name} is not in the database: remove its line`),
  ]
  if (problems.length > 0) throw new Error(`prisma/grants.json: ${problems.join('; ')}`)
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}, PUBLIC`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${role}, PUBLIC`,
    `REVOKE ALL ON SCHEMA public FROM ${role}, PUBLIC`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    ...relations.flatMap(({ name, isSequence, isOfEarlier }) => {
      const privileges = isOfEarlier ? ['SELECT'] : (grants[name] ?? [])
      if (privileges.length === 0) return []
      const on = `${isSequence ? 'SEQUENCE' : 'TABLE'} "${name}"`
      return [`GRANT ${privileges.join(', ')} ON ${on} TO ${role}`]
    }),
  ]
}
