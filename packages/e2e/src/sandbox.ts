import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'

const run = promisify(execFile)

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly bundleDependencies: readonly string[]
}

const owners = ['packages/stack', 'packages/runtime', 'packages/contracts', 'packages/interface']
  .concat([
    'packages/docs',
    'packages/web',
    'services/gateway',
    'services/ledger',
    'services/auth',
    'services/console',
  ])
  .map((dir) => join(repositoryDir, dir, 'node_modules'))

/**
 * Packs the sandbox and unpacks it outside of the clone. Its declared dependencies are linked from the clone instead of
 * downloaded, so an undeclared one is not found. Returns the path of its program.
 */
export async function installSandbox(dir: string): Promise<string> {
  await run(
    process.execPath,
    [join(repositoryDir, 'packages/stack/bin/pack-sandbox.mjs'), '--to', dir],
    {
      cwd: dir,
    },
  )
  await run('tar', ['-xzf', 'malipo-sandbox-0.1.0.tgz'], { cwd: dir })
  const packageDir = join(dir, 'package')
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Manifest
  const bundled = new Set(manifest.bundleDependencies)
  for (const name of Object.keys(manifest.dependencies)) if (!bundled.has(name)) link(name, dir)
  for (const name of Object.keys(manifest.optionalDependencies))
    if (placeOf(name) !== undefined) link(name, dir)
  return join(packageDir, manifest.bin['malipo-sandbox'] ?? '')
}

function link(name: string, dir: string): void {
  const place = placeOf(name)
  if (place === undefined) throw new Error(`${name} is not installed in this clone`)
  const to = join(dir, 'node_modules', name)
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(realpathSync(place), to)
}

function placeOf(name: string): string | undefined {
  return owners.map((folder) => join(folder, name)).find((place) => existsSync(place))
}
