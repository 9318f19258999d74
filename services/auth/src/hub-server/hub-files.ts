import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface HubFile {
  readonly type: string
  readonly text: string
}

/** The built hub: its one page, and that page's assets by name. */
export interface HubFiles {
  readonly page: string
  readonly assets: ReadonlyMap<string, HubFile>
}

/** Next to this service's code, whether that runs from `src` or from `dist`. */
const hubDir = join(__dirname, '../../dist/hub')

const typeOf: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const readText = (file: string) => readFileSync(file, 'utf8')

/**
 * Reads all files once, some dozens of kilobytes. Undefined when the hub was not built, as in other services' tests.
 */
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
