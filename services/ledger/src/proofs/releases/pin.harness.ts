import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommand } from '@malipo/testing/command'
import { digestOf, packBuild, readPinned, writePinned } from './pinned-ledger.harness'

const help = `Usage: npm run pin-ledger -- COMMIT
       npm run pin-ledger -- check

Builds the ledger of COMMIT from the history of this clone, in its own folder, and keeps it in
services/ledger/fixtures/pinned-ledger.json.gz, which services/ledger/fixtures/pinned-ledger.json names with its digest. The
suite runs it beside the ledger of today (services/ledger/src/proofs/releases/rollout.db.test.ts).

  check     builds the commit that is pinned once more, and compares
  --help    this text
`

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: {} })
  if (options === undefined) return 0
  const [given] = options.positionals
  if (given === undefined) {
    process.stderr.write(help)
    return 1
  }
  refuseWithoutHistory()
  const isCheck = given === 'check'
  const commit = revisionOf(isCheck ? readPinned().commit : given)
  const files = build(commit)
  if (isCheck) {
    const isSame = digestOf(files) === readPinned().digest
    process.stdout.write(
      isSame ? `the build of ${commit} is what is kept\n` : `the build of ${commit} differs\n`,
    )
    return isSame ? 0 : 1
  }
  writePinned(commit, files)
  process.stdout.write(`pinned ${commit}, ${digestOf(files)}\n`)
  return Promise.resolve(0)
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function refuseWithoutHistory(): void {
  if (git('rev-parse', '--is-shallow-repository') === 'false') return
  throw new Error('This clone has no history to build from: git fetch --unshallow')
}

const revisionOf = (name: string) => git('rev-parse', '--verify', `${name}^{commit}`)

/** Installs, generates and builds the ledger of a commit by the commit's own tools. */
function build(commit: string): ReturnType<typeof packBuild> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-pin-'))
  process.once('exit', () => {
    rmSync(dir, { recursive: true, force: true })
  })
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', dir], { input: archive })
  const setUp = `import(${JSON.stringify(join(dir, 'packages/stack/bin/set-up.mjs'))}).then((m) => m.setUp())`
  const ran = spawnSync(process.execPath, ['-e', setUp], { cwd: dir, stdio: 'inherit' })
  if (ran.status !== 0) throw new Error(`${commit} was not built`)
  return packBuild(dir)
}
