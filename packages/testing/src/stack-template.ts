import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabasesIn } from '@malipo/stack/databases'

const variable = 'MALIPO_STACK_TEMPLATE'

/** Makes the databases of stacks once, for the stacks of this process and of those that it starts. */
export async function makeStackTemplate(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-template-'))
  process.once('exit', () => {
    rmSync(dir, { recursive: true, force: true })
  })
  await makeDatabasesIn(dir)
  process.env[variable] = dir
}

/**
 * Gives a new stack its databases, as they are before any service has used them, and the secrets that open them.
 * Without a template, as in `npm run chaos`, the stack makes them itself.
 */
export function copyStackTemplate(to: string): void {
  const template = process.env[variable]
  if (template === undefined) return
  mkdirSync(to, { recursive: true })
  const parts = ['postgres', 'secrets.json'].map((name) => join(template, name))
  // `cp` is used because Node's copy would not keep the owner of the files, and PostgreSQL runs as that user.
  const { status, stderr } = spawnSync('cp', ['-a', ...parts, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The databases of the stack were not copied: ${stderr}`)
}
