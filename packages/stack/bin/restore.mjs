#!/usr/bin/env node
// `npm run restore`: makes a new stack folder with the databases as they were at a moment.
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setUp } from './set-up.mjs'
import { onProgress, runToTheEnd } from './run-to-the-end.mjs'

const help = `Usage: npm run restore -- --backup DIR --into NEW_FOLDER [--to TIME] [--stack PATH]

Makes a stack folder of a backup and the log archived since, and never touches another. npm start -- --dir NEW_FOLDER
runs it: its ledgers pass over the Pay Bill numbers that payers may hold, and send nothing that may have been sent.
docs/runbooks/restore.md says how payments that are not in it are found again.

  --backup DIR   the folder that npm run backup has printed
  --into FOLDER  a folder that is not there yet, or empty
  --to TIME      the moment, as 2026-11-22T16:00:00Z; without it the last one that was archived
  --stack PATH   where secrets.json and marks are, which no backup holds; without it the folder that was backed up
  --help         this text
`

const options = {
  backup: { type: 'string' },
  into: { type: 'string' },
  to: { type: 'string' },
  stack: { type: 'string' },
  help: { type: 'boolean' },
}

async function main() {
  const { values } = parseArgs({ options })
  if (values.help) return process.stdout.write(help)
  if (values.backup === undefined) throw new Error('Which backup? --backup DIR')
  if (values.into === undefined) throw new Error('Into which folder? --into NEW_FOLDER')
  const to = values.to === undefined ? undefined : readTime(values.to)
  await setUp()
  const { restore } = await import('../dist/backup/restore.js')
  const here = (path) => path && resolve(process.env.INIT_CWD ?? process.cwd(), path)
  const { lastCommitAt } = await restore({
    ...{ backup: here(values.backup), into: here(values.into), stackDir: here(values.stack) },
    ...{ to, onProgress },
  })
  const last = lastCommitAt?.toISOString() ?? 'before the end of the backup'
  process.stdout.write(`Restored: the last transaction that is there was ${last}.
Start it with npm start -- --dir ${values.into}, take a new backup, and follow docs/runbooks/restore.md
`)
}

/** A time needs its zone: without one the same text would mean another moment on another machine. */
function readTime(text) {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const time = new Date(text)
  if (isTime && !Number.isNaN(time.getTime())) return time
  throw new Error(`--to has to be a time with its zone, as 2026-11-22T16:00:00Z, and not ${text}`)
}

runToTheEnd(main)
