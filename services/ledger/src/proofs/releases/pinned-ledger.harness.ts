import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { freePort } from '@malipo/stack/free-port'
import { repositoryDir } from '@malipo/stack/migrate'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'

/** The text of each file of an artefact, by its path. */
type Files = Readonly<Record<string, string>>

interface Pinned {
  /** The commit that the artefact was built from. */
  readonly commit: string
  /** The SHA-256 of its files. */
  readonly digest: string
}

const fixtures = join(repositoryDir, 'services/ledger/fixtures')
const nameFile = join(fixtures, 'pinned-ledger.json')
const artefactFile = join(fixtures, 'pinned-ledger.json.gz')

/** The packages of ours that a ledger runs with; other packages are linked from this clone. */
const packages = ['contracts', 'interface', 'kernel', 'runtime']

/** Where each folder of a build lies in the artefact. */
const parts: readonly (readonly [from: string, to: string, wanted: RegExp])[] = [
  ['services/ledger/dist', 'ledger/dist', /\.js$/],
  ['services/ledger/prisma', 'ledger/prisma', /\.(?:sql|json|prisma)$/],
  ...packages.flatMap((name) => {
    const to = `node_modules/@malipo/${name}`
    return [
      [`packages/${name}/dist`, `${to}/dist`, /\.js$/],
      [`packages/${name}`, to, /^package\.json$/],
    ] as const
  }),
]

/** What a ledger that was built in `dir` needs to run, and its migrations. */
export function packBuild(dir: string): Files {
  const files = parts.flatMap(([from, to, wanted]) => {
    const isFlat = from.startsWith('packages/') && !from.endsWith('/dist')
    return readdirSync(join(dir, from), { recursive: !isFlat, encoding: 'utf8' })
      .filter((file) => wanted.test(file))
      .map((file) => [`${to}/${file}`, readFileSync(join(dir, from, file), 'utf8')] as const)
  })
  return Object.fromEntries(files.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function digestOf(files: Files): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}

export function readPinned(): Pinned {
  return JSON.parse(readFileSync(nameFile, 'utf8')) as Pinned
}

export function writePinned(commit: string, files: Files): void {
  const pinned: Pinned = { commit, digest: digestOf(files) }
  writeFileSync(nameFile, `${JSON.stringify(pinned, undefined, 2)}\n`)
  writeFileSync(artefactFile, gzipSync(JSON.stringify(files), { level: 9 }))
}

/** Reads the artefact. Throws when its digest is not the one in `pinned-ledger.json`. */
function readArtefact(): Files {
  const files = JSON.parse(gunzipSync(readFileSync(artefactFile)).toString()) as Files
  if (digestOf(files) === readPinned().digest) return files
  throw new Error('fixtures/pinned-ledger.json.gz is not what pinned-ledger.json names')
}

/** The ledger of an earlier release, as a process. */
export interface PinnedLedger {
  /** Starts the ledger, and resolves when it is ready. */
  start(options: PinnedOptions): Promise<{ stop: () => Promise<void> }>
  /** The folder of the service: its migrations lie in it. */
  readonly serviceDir: string
  remove(): void
}

/** The ports of a ledger. */
export interface Replica {
  readonly port: number
  readonly adminPort: number
}

interface PinnedOptions extends Replica {
  readonly databaseUrl: string
}

/** Free ports for a ledger. */
export const openReplica = async (): Promise<Replica> => ({
  port: await freePort(),
  adminPort: await freePort(),
})

export function unpackPinned(): PinnedLedger {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-pinned-'))
  for (const [path, text] of Object.entries(readArtefact())) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  linkInstalled(dir)
  return {
    serviceDir: join(dir, 'ledger'),
    start: (options) => startProcess(join(dir, 'ledger/dist/main.js'), options),
    remove: () => {
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Links the packages of others, as they are installed in this clone, into the folder of the artefact. */
function linkInstalled(dir: string): void {
  for (const from of ['services/ledger', ...packages.map((name) => `packages/${name}`)]) {
    const installed = join(repositoryDir, from, 'node_modules')
    for (const name of namesIn(installed)) {
      const link = join(dir, 'node_modules', name)
      if (existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(installed, name), link)
    }
  }
}

/** Lists installed packages such as `pg` and `@grpc/grpc-js`, but not ours. */
function namesIn(installed: string): readonly string[] {
  if (!existsSync(installed)) return []
  return readdirSync(installed).flatMap((name) => {
    if (name === '@malipo' || name.startsWith('.')) return []
    if (!name.startsWith('@')) return [name]
    return readdirSync(join(installed, name)).map((own) => `${name}/${own}`)
  })
}

async function startProcess(main: string, options: PinnedOptions) {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PORT: String(options.port),
      ADMIN_PORT: String(options.adminPort),
      LOG_LEVEL: 'error',
      DATABASE_URL: options.databaseUrl,
      TLS_DIR: testIdentityDir('ledger-ke'),
      COUNTRY: 'ke',
      CALLBACK_UNCONFIRMED_MAX_MINOR: '1000000000',
      // No worker sends prompts, so they wait, and no payment may be refused for that.
      PROMPT_WAIT_MAX_SECONDS: '3600',
    },
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-4_000)))
  }
  const ended = once(child, 'exit')
  await eventually('the pinned ledger is ready', async () => {
    if (child.exitCode !== null) throw new Error(`the pinned ledger did not start: ${printed}`)
    const url = `http://127.0.0.1:${String(options.adminPort)}/readyz`
    return (await fetch(url).catch(() => undefined))?.ok
  })
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
