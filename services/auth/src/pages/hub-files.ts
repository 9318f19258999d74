import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface HubFile {
  readonly type: string
  readonly text: string
}

/** The built hub: its one page, and what that page loads, by name. */
export interface HubFiles {
  readonly page: string
  readonly assets: ReadonlyMap<string, HubFile>
}

/** Beside the code of this service, whether that runs from `src` or from `dist`. */
const hubDir = join(__dirname, '../../dist/hub')

const typeOf: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const readText = (file: string) => readFileSync(file, 'utf8')

/** Reads all of it once: some dozens of kilobytes. Undefined when it was not built, as in a test of something else. */
export function readHubFiles(): HubFiles | undefined {
  const assetsDir = join(hubDir, 'assets')
  if (!existsSync(join(hubDir, 'index.html'))) return undefined
  const names = readdirSync(assetsDir)
  const read = (name: string): [string, HubFile] => {
    const type = typeOf[extname(name)] ?? 'application/octet-stream'
    return [name, { type, text: readText(join(assetsDir, name)) }]
  }
  return { page: readText(join(hubDir, 'index.html')), assets: new Map(names.map(read)) }
}
