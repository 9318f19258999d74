import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the repository: its path from the root, with `/`, and its text, which is empty for a picture. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** A rule of the code: every sentence it returns is one place that breaks it, and what to do there. */
export type Rule = (files: readonly SourceFile[]) => string[]

const binary = /\.(?:png|jpe?g|gif|ico|webp|woff2?|wasm)$/

/** Everything that is or would be committed: the whole folder without what `.gitignore` names. Needs no git. */
export function readSourceTree(root: string): SourceFile[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean)
  return walk(root, '', isIgnored(['.git/', '.git', ...ignored]))
}

function walk(root: string, dir: string, ignored: (name: string) => boolean): SourceFile[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`
    if (ignored(entry.isDirectory() ? `${entry.name}/` : entry.name)) return []
    if (entry.isDirectory()) return walk(root, path, ignored)
    if (!entry.isFile()) return []
    const text = binary.test(entry.name) ? '' : readFileSync(join(root, path), 'utf8')
    return [{ path, text }]
  })
}

/** Understands what our `.gitignore` uses: `folder/`, `file`, and `*` for any characters of a name, at any depth. */
function isIgnored(patterns: readonly string[]): (name: string) => boolean {
  const shapes = patterns.map((pattern) => pattern.split('*').map(escaped).join('.*'))
  const ignored = new RegExp(`^(?:${shapes.join('|')})$`)
  return (name) => ignored.test(name)
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
