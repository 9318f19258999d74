#!/usr/bin/env node
// Packs the built services, the stack and what they need of this repository into one npm package.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pack } from './pack.mjs'
import { repositoryDir } from './set-up.mjs'

const programs = ['gateway', 'ledger', 'keys', 'auth', 'worker', 'simulator', 'console'].map(
  (name) => `services/${name}`,
)
const stack = 'packages/stack'

await pack('sandbox', stage)

/**
 * Copies folders to the paths that they have in the repository, so that the stack finds the services as it does in a
 * clone. Our own libraries become bundled dependencies, and foreign ones dependencies that npm installs.
 */
function stage(stageDir) {
  const external = {}
  const optional = {}
  const libraries = new Set()
  const visit = (dir) => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(dir)
    for (const [name, version] of Object.entries(dependencies)) {
      if (!version.startsWith('workspace:')) external[name] = versionOf(dir, name)
      else if (!libraries.has(name)) visit(libraries.add(name) && libraryDirOf(name))
    }
    for (const name of Object.keys(optionalDependencies)) optional[name] = catalogued(name)
  }
  for (const dir of [stack, ...programs]) {
    visit(dir)
    copy(dir, join(stageDir, dir))
  }
  for (const name of libraries) {
    const { version = '0.0.0', exports } = manifestOf(libraryDirOf(name))
    const to = join(stageDir, 'node_modules', name)
    copy(libraryDirOf(name), to)
    writeManifest(to, { name, version, exports: withoutSources(exports) })
  }
  const { private: _private, ...manifest } = manifestOf('packages/sandbox')
  cpSync(join(repositoryDir, 'packages/sandbox/README.md'), join(stageDir, 'README.md'))
  writeManifest(stageDir, {
    ...manifest,
    dependencies: sorted({
      ...external,
      ...Object.fromEntries([...libraries].map((name) => [name, '*'])),
    }),
    optionalDependencies: sorted(optional),
    bundleDependencies: [...libraries].sort(),
  })
}

/** Copies the part of a package that runs: no sources, tests, maps or types. */
function copy(dir, to) {
  const left = new Set(['node_modules', 'src', 'hub', 'fixtures', '.turbo', 'tsconfig.json'])
  const top = join(repositoryDir, dir)
  const filter = (path) =>
    !(dirname(path) === top && left.has(basename(path))) && !/\.(tsbuildinfo|map|d\.ts)$/.test(path)
  cpSync(top, to, { recursive: true, filter })
  const { name, version = '0.0.0' } = manifestOf(dir)
  writeManifest(to, { name, version })
}

function withoutSources(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => [
      path,
      typeof target === 'string' ? target : target.default,
    ]),
  )
}

function manifestOf(dir) {
  return JSON.parse(readFileSync(join(repositoryDir, dir, 'package.json')))
}

function writeManifest(dir, manifest) {
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

function libraryDirOf(name) {
  const dir = `packages/${name.replace('@malipo/', '')}`
  if (!existsSync(join(repositoryDir, dir))) throw new Error(`${name} is in no folder of packages`)
  return dir
}

/** The version that is installed here, with which the tests ran. */
function versionOf(dir, name) {
  const file = join(repositoryDir, dir, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file)).version
}

/** The version of a package for other machines, which is not installed on this one. */
function catalogued(name) {
  const text = readFileSync(join(repositoryDir, 'pnpm-workspace.yaml'), 'utf8')
  const line = text.split('\n').find((it) => it.trim().startsWith(`'${name}': `))
  if (line === undefined) throw new Error(`${name} is not in the catalog of pnpm-workspace.yaml`)
  return line.split(': ')[1].trim()
}

function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)))
}
