import type { Database } from './database'

/** The schema of this code, and the lowest version of a database that the code runs on: docs/releases.md. */
export const schema = { version: 3, needs: 3 } as const

/** What a database says of itself. `floor`: the lowest version whose code may run on it. */
export interface SchemaVersion {
  readonly version: number
  readonly floor: number
}

/** The version of a ledger's database; 0 before the migrate step has given it one. Throws on a database of something else. */
export async function readSchemaVersion(db: Database): Promise<SchemaVersion> {
  const [made] = await db.$queryRaw<
    [{ isMigrated: boolean; isLedger: boolean; hasVersion: boolean }]
  >`
    SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS "isMigrated",
      to_regclass('public.deployment') IS NOT NULL AS "isLedger",
      to_regprocedure('public.schema_version()') IS NOT NULL AS "hasVersion"`
  if (made.isMigrated && !made.isLedger) {
    throw new Error('This database is of another service: it has no table deployment')
  }
  if (!made.hasVersion) return { version: 0, floor: 0 }
  const [read] = await db.$queryRaw<[SchemaVersion]>`SELECT version, floor FROM schema_version()`
  return read
}

/** Why this code does not run on a database of this version, and what to do about it. */
export function misfitOf({ version, floor }: SchemaVersion): string | undefined {
  if (version < schema.needs) {
    return `the database has version ${String(version)}, and this release needs ${String(schema.needs)}: run the migrate step of this release`
  }
  if (floor > schema.version) {
    return `the database takes releases of version ${String(floor)} and later, and this one has ${String(schema.version)}: deploy a later release`
  }
  return undefined
}
