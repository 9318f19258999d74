// What `npm run pack-sandbox` and `npm run pack-simulator` have in common.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setUp } from './set-up.mjs'

/** Builds, has `stage` fill a folder, and packs that as `malipo-NAME-VERSION.tgz`. */
export async function pack(name, stage) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: '.' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return process.stdout.write(helpOf(name))
  const toDir = resolve(process.env.INIT_CWD ?? '.', values.to)
  await setUp()
  const stageDir = mkdtempSync(join(tmpdir(), `malipo-${name}-`))
  try {
    await stage(stageDir)
    mkdirSync(toDir, { recursive: true })
    const args = ['pack', '--silent', '--pack-destination', toDir]
    const packed = execFileSync('npm', args, { cwd: stageDir, encoding: 'utf8' })
    process.stdout.write(`${join(toDir, packed.trim())}\n`)
  } finally {
    rmSync(stageDir, { recursive: true, force: true })
  }
}

const helpOf = (name) => `Usage: npm run pack-${name} [-- --to DIR]

Builds what is missing and writes malipo-${name}-VERSION.tgz, which \`npm install\` and \`npx\` take.
  --to DIR   the folder to write it to; this one unless given
  --help     this text
`
