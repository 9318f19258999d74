import { posix } from 'node:path'
import { errors } from '@malipo/kernel/errors'
import type { Rule, SourceFile } from './source-tree'

/** One row of the error table of README.md. */
export function errorRow(row: (typeof errors)[keyof typeof errors]): string {
  return `| ${String(row.http)} | ${String(row.code)} | ${row.description} | ${row.retry ? 'yes' : 'no'} |`
}

export const everyErrorIsDocumented: Rule = (files) => {
  const readme = files.find(({ path }) => path === 'README.md')?.text ?? ''
  const lines = new Set(readme.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim()))
  return Object.values(errors)
    .map(errorRow)
    .filter((row) => !lines.has(row))
    .map((row) => `README.md: the error table lacks the row ${row}`)
}

/** Each path that a document names exists, because a document that is wrong is worse than none. */
export const everyNamedPathExists: Rule = (files) => {
  const known = new Set(files.flatMap(({ path }) => withParents(path)))
  return files
    .filter(({ path }) => path.endsWith('.md') && !path.startsWith(servedPages))
    .flatMap((file) =>
      namedPaths(file.text)
        .filter((named) => !isKnown(known, file, named))
        .map((named) => `${file.path}: names ${named}, which does not exist`),
    )
}

/** `a/b/c.ts` -> `a`, `a/b`, `a/b/c.ts`. */
function withParents(path: string): string[] {
  return path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
}

function isKnown(known: ReadonlySet<string>, file: SourceFile, named: string): boolean {
  return pathsOf(known, file, named).length > 0
}

/** Returns the paths that a document may mean by a path or a bare file name. */
function pathsOf(known: ReadonlySet<string>, file: SourceFile, named: string): readonly string[] {
  const path = named.replace(/\/$/, '')
  const beside = posix.join(posix.dirname(file.path), path)
  const exact = [beside, posix.normalize(path)].filter((whole) => known.has(whole))
  if (exact.length > 0) return exact
  // A bare file name, or the end of a path, when the sentence before it has named the folder.
  return [...known].filter((whole) => whole.endsWith(`/${path}`))
}

const nameInFile = /`(\w+)` in `([\w./-]+\.(?:ts|mjs|lua|sql|prisma))`/g

/** Where a document says "`name` in `file`", that file has the name. */
export const everyNameIsInItsFile: Rule = (files) => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const known = new Set(texts.keys())
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) =>
      Array.from(file.text.matchAll(nameInFile), ([, name = '', named = '']) => ({ name, named }))
        .filter(({ name, named }) => {
          const shape = new RegExp(`\\b${name}\\b`)
          return !pathsOf(known, file, named).some((path) => shape.test(texts.get(path) ?? ''))
        })
        .map(({ name, named }) => `${file.path}: there is no ${name} in ${named}`),
    )
}

const mapOfChanges = 'docs/README.md'
const roomOrPackage = /^(?:packages\/[^/]+|services\/[^/]+\/src\/[^/]+)(?=\/)/

/**
 * Every package and every room of a service is named in the tables of docs/README.md that lead from a change to a file,
 * or in the README of its service.
 */
export const everyRoomIsFound: Rule = (files) => {
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? ''
  const places = new Set(files.flatMap(({ path }) => roomOrPackage.exec(path)?.[0] ?? []))
  return [...places]
    .filter((place) => {
      const [top = '', service = '', ...inside] = place.split('/')
      const isInReadme =
        top === 'services' && textOf(`${top}/${service}/README.md`).includes(`${inside.join('/')}/`)
      return !isInReadme && !textOf(mapOfChanges).includes(`${place}/`)
    })
    .map((place) => `${mapOfChanges}: no change leads to ${place}/`)
}

const link = /\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g
const code = /`([^`\s]+)`/g
/** The pages of the documentation. Their links are addresses of a host, and a test of packages/docs follows them. */
const servedPages = 'packages/docs/pages/'
const looksLikePath = /^(?!\/|.*:\/\/)[\w./@-]+$/
const fileEnding = /\.(?:ts|mjs|cjs|json|md|proto|sql|prisma|ya?ml|css|lua|sh|png|svg)$/
const folder = /^(?:\.{1,2}|packages|services|proto|k8s|src|prisma|fixtures|bin|\.ci)\/./
/** What exists only after a build or a start, and `x.test.ts`, where x is any name. */
const notHere = /(?:^|\/)(?:\.stack|dist|generated|node_modules)(?:\/|$)|^stack\.json$|^x\./

function namedPaths(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const links = [...prose.matchAll(link)].map((match) => match[1] ?? '')
  const codes = [...prose.matchAll(code)]
    .map((match) => match[1] ?? '')
    .filter((named) => looksLikePath.test(named) && (fileEnding.test(named) || folder.test(named)))
  return [...links, ...codes].filter((named) => !notHere.test(named))
}
