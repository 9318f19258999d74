import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from './migrate'

const noise = 'WARN Unsupported engine'
/** Replaces the pinned pnpm: prints as much as pnpm does, and installs and builds nothing. */
const npx = `#!/bin/sh
for line in $(seq 100); do echo "${noise} $line"; done
case "$*" in
*install*) mkdir -p node_modules && touch node_modules/.modules.yaml ;;
*) echo "error TS2322" >&2; exit "$BUILD_STATUS" ;;
esac
`

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-set-up-'))
  const bin = 'packages/stack/bin'
  for (const name of ['set-up.mjs', 'with-lock-file.mjs']) {
    cpSync(join(repositoryDir, bin, name), join(dir, bin, name))
  }
  for (const folder of ['services', 'proto', 'path']) mkdirSync(join(dir, folder))
  const manifest = { packageManager: 'pnpm@1.0.0', engines: { node: '>=20.0' } }
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest))
  const files = ['pnpm-workspace.yaml', 'pnpm-lock.yaml', '.npmrc']
  const sources = ['tsconfig.base.json', 'turbo.json', 'buf.yaml']
  for (const name of [...files, ...sources]) writeFileSync(join(dir, name), '')
  writeFileSync(join(dir, 'path/npx'), npx, { mode: 0o755 })
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

/** Runs the set-up, and returns all that it prints and its exit status. */
function setUp(buildStatus: number, steps = 'await setUp()') {
  const script = join(dir, 'packages/stack/bin/set-up.mjs')
  const program = `import(${JSON.stringify(script)}).then(async ({ setUp, setUpForAll }) => { ${steps} })`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: {
      PATH: `${join(dir, 'path')}:${process.env['PATH'] ?? ''}`,
      BUILD_STATUS: String(buildStatus),
    },
  })
  return { status, output: stdout + stderr }
}

describe('the set-up', () => {
  it('reports the start and the end of each step, without its output', () => {
    const { status, output } = setUp(0)
    expect(
      output
        .replaceAll(/\d+\.\d s/g, 'N s')
        .trim()
        .split('\n'),
    ).toEqual([
      'Installing packages …',
      'Installing packages: done in N s',
      'Generating and building …',
      'Generating and building: done in N s',
    ])
    expect(status).toBe(0)
    expect(setUp(0)).toEqual({ status: 0, output: '' })
  })

  it('is checked once for all the processes of a test run', () => {
    const stamp = JSON.stringify(join(dir, '.turbo/set-up.json'))
    const steps = `await setUpForAll(); require('node:fs').rmSync(${stamp}); await setUp()`
    const { status, output } = setUp(0, steps)
    expect([status, output.match(/done in/g)]).toEqual([0, ['done in', 'done in']])
  })

  it('prints the name and the output of a step that fails', () => {
    const { status, output } = setUp(2)
    expect(status).not.toBe(0)
    expect(output).toContain(`${noise} 100\n`)
    expect(output).toContain('error TS2322')
    expect(output).toContain('Generating and building failed (2): pnpm@1.0.0 exec turbo')
    expect(existsSync(join(dir, '.turbo/set-up.lock'))).toBe(false)
  })
})
