#!/usr/bin/env node
// The migrate step of one service, as its own job: what `npm start` does by itself.
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const help = `Usage: DATABASE_URL=postgresql://… SERVICE_DATABASE_URL=postgresql://… node migrate.mjs --service services/ledger

Applies what is new in <service>/prisma/migrations to the database of DATABASE_URL, as its owner, makes its functions, views
and triggers those of <service>/prisma/sql when they have changed, and then gives the role of SERVICE_DATABASE_URL, as which
the service connects, the rights in <service>/prisma/grants.json and no others. Makes that role, or sets its password, if the
owner may make roles. A database of another history is refused, and nothing in it is changed.
  --service DIR   the service whose prisma/ folder to use
  --help          this text
`
const { values } = parseArgs({
  options: { service: { type: 'string' }, help: { type: 'boolean', default: false } },
})
if (values.help || values.service === undefined) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 1)
}

const { DATABASE_URL: owner = '', SERVICE_DATABASE_URL: service = '' } = process.env
if (owner === '' || service === '') {
  process.stderr.write('Set DATABASE_URL and SERVICE_DATABASE_URL: migrate.mjs --help\n')
  process.exit(1)
}

const { migrateDatabase } = await import('../dist/migrate.js')
await migrateDatabase(resolve(values.service), { owner, service }).then(
  (report) => process.stdout.write(report),
  (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
