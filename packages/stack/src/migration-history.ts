import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'

/** A versioned migration: the name of its folder, and the SHA-256 of its script as the engine records it. */
export interface Migration {
  readonly name: string
  readonly checksum: string
}

/**
 * Whether a database lacks migrations of this release. `ahead`: a later release has migrated it, so this one changes
 * nothing.
 */
export type HistoryState = 'pending' | 'complete' | 'ahead'

/** prisma/replaced.json: a baseline, and the older migrations that it replaces. */
const replacedSchema = z.object({
  baseline: z.array(z.string()).min(1),
  replaces: z.record(z.string(), z.string()),
  /**
   * Migrations whose functions and views prisma/sql makes now, with their checksums: a database may have them or not.
   */
  objects: z.record(z.string(), z.string()),
})
type Replaced = z.output<typeof replacedSchema>

/** The versioned migrations of a service, in their order. */
export function readMigrations(serviceDir: string): readonly Migration[] {
  const folder = join(serviceDir, 'prisma/migrations')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const script = readFileSync(join(folder, name, 'migration.sql'))
      return { name, checksum: createHash('sha256').update(script).digest('hex') }
    })
}

function readReplaced(serviceDir: string): Replaced {
  const file = join(serviceDir, 'prisma/replaced.json')
  if (!existsSync(file)) return { baseline: [], replaces: {}, objects: {} }
  return replacedSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/**
 * Compares the migrations that a database has with those of a service, and records the baseline where the migrations
 * that it replaces have been applied. The records of those stay, so that the earlier release finds all of its
 * migrations and can be deployed again. Throws, before anything is changed, when the database has another history.
 */
export async function takeHistory(owner: string, serviceDir: string): Promise<HistoryState> {
  const client = new Client({ connectionString: owner })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))")
    await resumeFailed(client)
    const applied = await readApplied(client)
    const known = readMigrations(serviceDir)
    const replaced = readReplaced(serviceDir)
    const read = judgeHistory({ applied, known, replaced })
    if ('refusal' in read) throw new Error(read.refusal)
    if (read.hasOld) await recordBaseline(client, known, replaced)
    await client.query('COMMIT')
    return read.state
  } finally {
    await client.end()
  }
}

/** The engine's own lock on the migrations of a database: its number is a part of Prisma's protocol. */
const engineLock = 72_707_369

/**
 * Records a failed migration as rolled back, so that the engine applies it again and does not refuse every later step.
 * The migration has left nothing behind, or an index that its next run drops. A migration that is under way holds the
 * engine's lock, so this waits for its end.
 */
async function resumeFailed(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [engineLock])
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists",
  )
  if (rows[0]?.exists !== true) return
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  )
}

async function readApplied(client: Client): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name",
  )
  if (!rows.some(({ name }) => name === '_prisma_migrations')) {
    if (rows.length === 0) return []
    throw new Error(`no migration made ${listOf(rows)} in this database: take an empty one`)
  }
  const applied = await client.query<Migration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return applied.rows
}

interface History {
  readonly applied: readonly Migration[]
  readonly known: readonly Migration[]
  readonly replaced: Replaced
}

type Judged =
  /** `hasOld`: the database has the migrations that the baseline replaces, and no record of the baseline yet. */
  | { readonly state: HistoryState; readonly hasOld: boolean }
  /** What is wrong with the database, and what to do about it. */
  | { readonly refusal: string }

/** What to do about a database with these migrations. */
export function judgeHistory(history: History): Judged {
  const refusal = editedIn(history) ?? partIn(history)
  if (refusal !== undefined) return { refusal }
  const { applied, known, replaced } = history
  const names = new Set(applied.map(({ name }) => name))
  const hasOld = !hasBaseline(history) && oldOf(history).length > 0
  if (hasOld) for (const name of replaced.baseline) names.add(name)
  const isComplete = known.every(({ name }) => names.has(name))
  const explained = new Set([
    ...known.map(({ name }) => name),
    ...Object.keys({ ...replaced.replaces, ...replaced.objects }),
  ])
  const unknown = [...names].filter((name) => !explained.has(name))
  if (unknown.length === 0) return { state: isComplete ? 'complete' : 'pending', hasOld }
  if (isComplete && !hasOld) return { state: 'ahead', hasOld }
  return { refusal: unknownRefusal(unknown) }
}

const hasBaseline = ({ applied, replaced }: History) =>
  replaced.baseline.every((name) => applied.some((one) => one.name === name))

/** The applied migrations that the baseline replaces. */
function oldOf({ applied, replaced }: History): readonly Migration[] {
  return applied.filter(({ name }) => Object.hasOwn(replaced.replaces, name))
}

function editedIn({ applied, known, replaced }: History): string | undefined {
  const old = Object.entries({ ...replaced.replaces, ...replaced.objects })
  const forms = [...known, ...old.map(([name, checksum]) => ({ name, checksum }))]
  const edited = applied.filter(({ name, checksum }) => {
    const accepted = forms.filter((form) => form.name === name)
    return accepted.length > 0 && accepted.every((form) => form.checksum !== checksum)
  })
  return edited.length === 0
    ? undefined
    : `the database has another form of ${listOf(edited)} than the file: restore the file, and put the change into a new migration`
}

function partIn(history: History): string | undefined {
  const old = oldOf(history)
  const all = Object.keys(history.replaced.replaces).length
  return hasBaseline(history) || old.length === 0 || old.length === all
    ? undefined
    : `the database has ${String(old.length)} of the ${String(all)} migrations that the baseline replaces, up to ` +
        `${old.at(-1)?.name ?? ''}: start the last release before the baseline on it once, and then this one`
}

const listOf = (migrations: readonly { readonly name: string }[]) =>
  migrations.map(({ name }) => name).join(', ')

const unknownRefusal = (unknown: readonly string[]) =>
  `the database has migrations of another release, and not all of this one: ${unknown.join(', ')}. Start the release ` +
  'that made it, or take another database'

/** Records the baseline as applied in a database that has all migrations that it replaces: both make the same. */
async function recordBaseline(
  client: Client,
  known: readonly Migration[],
  { baseline }: Replaced,
): Promise<void> {
  for (const { name, checksum } of known.filter((one) => baseline.includes(one.name))) {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), now(), 1)`,
      [randomUUID(), checksum, name],
    )
  }
}
