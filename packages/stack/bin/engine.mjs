#!/usr/bin/env node
// Prisma's schema engine: applies a service's migrations, as `prisma migrate deploy` does, or checks that the
// migrations and the schema agree. Prisma's CLI downloads its engine; this runs the same engine as WebAssembly, which
// npm delivers like any other package.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { againAfterLostLock, lockTimeoutMs } from '../dist/again-after-lost-lock.js'
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg'

const help = `Usage: DATABASE_URL=postgresql://… node engine.mjs --service services/ledger [--diff | --draft]

Applies what is new in <service>/prisma/migrations to the database of DATABASE_URL, as its owner. migrate.mjs is the whole
step: it does this too, and then applies prisma/sql and grants.json.
  --service DIR   the service whose prisma/ folder to use
  --diff          print the SQL that separates the migrated database from schema.prisma; exit 2 when there is any
  --draft         print the SQL that makes schema.prisma from nothing (no database needed)
  --help          this text
`
const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    diff: { type: 'boolean', default: false },
    draft: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || values.service === undefined) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 1)
}

const { DATABASE_URL: owner = '' } = process.env
if (owner === '' && !values.draft) {
  process.stderr.write('Set DATABASE_URL: engine.mjs --help\n')
  process.exit(1)
}

const prismaDir = resolve(values.service, 'prisma')
const schema = { path: join(prismaDir, 'schema.prisma'), content: '' }
schema.content = readFileSync(schema.path, 'utf8')
const filters = { externalTables: [], externalEnums: [] }

/** Matches a script that only makes one index CONCURRENTLY, which PostgreSQL refuses inside a transaction. */
const indexAlone = /^(?:--.*\n|\s)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+) ON [^;]+;\s*$/
/** A statement that summarizes an index reads its table, and those who write the table do not wait for it. */
const summarizing = /\bbrin_summarize_new_values\(/

/** PostgreSQL's error, kept when a migration fails, because the engine's own error hides it. */
let failure
const engine = await openEngine()
const datamodel = { tag: 'schemaDatamodel', files: [schema], configDir: prismaDir }
if (values.draft) process.exit(await diff({ tag: 'empty' }, datamodel))
if (values.diff)
  process.exit(
    await diff({ tag: 'schemaDatasource', files: [schema], configDir: prismaDir }, datamodel),
  )
const { appliedMigrationNames } = await engine
  .applyMigrations({ migrationsList: migrations(), filters })
  .catch((error) => {
    // The engine's own error names neither the cause nor a remedy, so PostgreSQL's error is printed where there is one.
    if (failure === undefined) throw error
    process.stderr.write(
      `${failure.message}. The migration that failed has left nothing behind: run this step again when its cause is gone\n`,
    )
    process.exit(1)
  })
for (const name of appliedMigrationNames) process.stdout.write(`applied ${name}\n`)
// The engine keeps its connection, and an idle one would keep this process for another ten seconds.
process.exit()

/**
 * Loads the engine by hand, because its entry point needs a bundler that understands `.wasm` imports. V8's optimizing
 * compiler is turned off, because it would take as long as the whole run of half a second.
 */
async function openEngine() {
  setFlagsFromString('--liftoff-only')
  const require = createRequire(import.meta.url)
  const wasm = readFileSync(
    require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'),
  )
  const { instance } = await WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': engineModule,
  })
  engineModule.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  const adapter = openAdapter()
  const log = () => undefined
  return engineModule.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    log,
    bindMigrationAwareSqlAdapterFactory(adapter),
  )
}

/**
 * Works around PostgreSQL's catalog type `"char"` (18), which the engine needs and the adapter does not know. Such a
 * column passes the adapter as `bpchar` (1042), and its type is set to `Character` afterwards. Remembering the columns
 * of the last query is enough, because the engine sends one query at a time.
 */
function openAdapter() {
  let charColumns = new Set()
  const pool = new pg.Pool({ connectionString: owner })
  const query = pool.query.bind(pool)
  pool.query = async (...input) => {
    const result = await query(...input)
    const chars = result.fields?.filter((field) => field.dataTypeID === 18) ?? []
    charColumns = new Set(chars.map((field) => field.name))
    for (const field of chars) field.dataTypeID = 1042
    return result
  }
  const factory = new PrismaPg(pool, { disposeExternalPool: true })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const connection = await connect()
    // The adapter would split the script at each semicolon, even inside a function body or a comment. Sent whole, the
    // script is one transaction of PostgreSQL, so a failure leaves nothing behind.
    connection.executeScript = async (script) => {
      await runScript(query, script).catch((error) => {
        failure = error
        throw error
      })
    }
    const queryRaw = connection.queryRaw.bind(connection)
    connection.queryRaw = async (sql) => {
      const result = await queryRaw(sql)
      const typeOf = (name, index) =>
        charColumns.has(name) ? ColumnTypeEnum.Character : result.columnTypes[index]
      return { ...result, columnTypes: result.columnNames.map(typeOf) }
    }
    return connection
  }
  return factory
}

async function runScript(query, script) {
  const index = indexAlone.exec(script)?.[1]
  if (index === undefined) {
    // In one transaction, the locks of the other statements would be held while the table is read.
    const parts = summarizing.test(script) ? script.split(/(?<=;)\s*\n/) : [script]
    for (const part of parts) await runPart(query, part)
    return
  }
  // A failed earlier run may have left an invalid index of this name.
  await query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
  await query(script)
}

async function runPart(query, part) {
  if (summarizing.test(part)) {
    await query(part)
    return
  }
  const limited = `SELECT set_config('lock_timeout', '${lockTimeoutMs}', true);\n${part}`
  await againAfterLostLock(() => query(limited))
}

async function diff(from, to) {
  const result = await engine.diff({ from, to, script: true, exitCode: true, filters })
  process.stdout.write(result.stdout ?? '')
  return values.draft ? 0 : result.exitCode
}

function migrations() {
  const baseDir = join(prismaDir, 'migrations')
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  }
}
