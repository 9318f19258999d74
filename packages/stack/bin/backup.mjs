#!/usr/bin/env node
// `npm run backup`: copies the databases of a running stack, and has their log archived from then on.
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setUp } from './set-up.mjs'
import { onProgress, runToTheEnd } from './run-to-the-end.mjs'
import { withLockFile } from './with-lock-file.mjs'

const help = `Usage: npm run backup [-- --dir PATH]

Copies the databases of a running stack while payments go on, reads the copy again, and prints its folder. From the first
backup on the server archives its log, every 30 seconds at the latest, so that any moment since can be restored with
npm run restore. Kept are the newest two backups and the log since the older of them began; of more than 4 GB of log
since the newest no more is kept until the next begins, so take one each day.

  --dir PATH   the folder of the stack (.stack). Backups go to PATH/backups, which should be another disk
  --help       this text

No secret is in a backup: keep PATH/secrets.json, PATH/operators and PATH/marks elsewhere. Phone numbers are in it: keep
it closed.
`

async function main() {
  const options = { dir: { type: 'string', default: '.stack' }, help: { type: 'boolean' } }
  const { values } = parseArgs({ options })
  if (values.help) return process.stdout.write(help)
  await setUp()
  const { readOptions } = await import('../dist/config.js')
  const { findRunningStack } = await import('../dist/claim.js')
  const { takeBackup } = await import('../dist/backup/take-backup.js')
  const { dir } = readOptions(['--dir', values.dir], process.env)
  const stack = findRunningStack(dir)
  if (stack === undefined) throw new Error(`No stack runs in ${dir}: start it first, npm start`)
  const onWait = (pid) => onProgress(`Waiting for another backup, of process ${pid} …`)
  const backup = await withLockFile(join(dir, 'backup.lock'), { onWait }, () =>
    takeBackup({ dir, databaseUrl: stack.databases.ledger_ke, onProgress }),
  )
  process.stdout.write(`${backup}\n`)
}

runToTheEnd(main)
