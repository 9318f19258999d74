import type { Rule, SourceFile } from './source-tree'

const kebab = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/
/** Names that others chose: tools look for them, or their own convention is older than ours. */
const given = [
  /^(?:README|CHANGELOG|CONTRIBUTING|SECURITY|LICENSE)(?:\.md)?$/,
  /^Dockerfile$/,
  /^[a-z0-9]+(?:_[a-z0-9]+)*\.proto$/,
  /^\d{14}_[a-z0-9_]+$/,
  // PSR-4: a class of PHP is found by the name of its file.
  /^[A-Z][A-Za-z]+\.php$/,
  // Python imports no file with a hyphen.
  /^[a-z0-9_]+\.py$/,
  /^migration_lock\.toml$/,
]

export const kebabCase: Rule = (files) =>
  [...new Set(files.flatMap(({ path }) => path.split('/')))]
    .filter((name) => !kebab.test(name) && !given.some((shape) => shape.test(name)))
    .map((name) => `${name}: names of files and folders are kebab-case`)

const drawers = new Set([
  ...['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'lib', 'types', 'base'],
  ...['dto', 'manager', 'services', 'controllers', 'repositories', 'use-cases'],
])

/** Refuses names of catch-all files and folders, in which code is hard to find. */
export const noDrawers: Rule = (files) =>
  files.flatMap(({ path }) => {
    const [top = '', ...inside] = path.split('/')
    if (top !== 'services' && top !== 'packages') return []
    const drawer = inside.find((name) => drawers.has(name.replace(/(?:\.test)?\.\w+$/, '')))
    return drawer === undefined
      ? []
      : [`${path}: "${drawer}" says nothing; name it for what it holds`]
  })

/** A file named index would be a barrel: importers name the file that makes what they want. */
export const noBarrels: Rule = (files) =>
  files
    .filter(({ path }) => /(?:^|\/)index\.[cm]?[jt]sx?$/.test(path))
    .map(({ path }) => `${path}: a file is named for its main export, and imported by that name`)

/** Names of folders that sort code by its layer and not by its feature. */
const directions = new Set(['http', 'rpc', 'jobs', 'domain', 'store', 'clients'])
/** Files about the whole service, their tests, and `x.harness.ts`, which several tests share. */
const whole =
  /^(?:main|config|start|start-jobs|callers|methods|operations?)\.ts$|\.(?:test|harness)\.ts$/

/** A service has one folder for each feature, in the words of its users, and few files beside these folders. */
export const roomsByFeature: Rule = (files) => files.flatMap(misplaced)

function misplaced({ path }: SourceFile): string[] {
  const match = /^services\/[^/]+\/src\/([^/]+)(\/)?/.exec(path)
  if (match === null) return []
  const [, name = '', isFolder] = match
  if (isFolder === undefined) {
    return whole.test(name) ? [] : [`${path}: it belongs in the folder of a feature`]
  }
  if (!directions.has(name)) return []
  return [`${path}: "${name}" is a direction; name the folder for the feature`]
}
