import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { msBetween, type ProcessorMs, readProcessorMs } from './chain/processor-time'
import type { BenchDatabase } from './server'

export interface Load {
  readonly database: Pick<BenchDatabase, 'url' | 'pid'>
  readonly script: string
  readonly clients: number
  readonly seconds: number
  /** The values of the script's variables. */
  readonly given?: Readonly<Record<string, number>>
}

export interface Measured {
  /** Transactions a second. */
  readonly pace: number
  readonly p99Ms: number
  /** Microseconds of a processor that the server took for a transaction, all its processes together. */
  readonly processorUs: number
}

/** The program to measure with. Where there is none, says how to get it and returns undefined. */
export function findPgbench(named: string | undefined): string | undefined {
  const places = named === undefined ? ['pgbench'] : [named]
  const found = places.find((place) => spawnSync(place, ['--version']).status === 0)
  if (found === undefined) process.stderr.write(advice)
  return found
}

const advice = `pgbench not found. Debian: apt-get install --yes postgresql-contrib
or give its path: --pgbench PATH
`

/** Fills the tables of TPC-B. */
export async function fillFloor(pgbench: string, url: string, scale: number): Promise<void> {
  await promisify(execFile)(pgbench, ['-i', '-q', '-s', String(scale), url])
}

/** Runs a script by many clients over prepared statements. Throws when pgbench does not finish. */
export async function measure(pgbench: string, load: Load): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-pgbench-'))
  const file = join(dir, 'script.sql')
  writeFileSync(file, load.script)
  const given = Object.entries(load.given ?? {}).flatMap(([name, value]) => [
    '-D',
    `${name}=${String(value)}`,
  ])
  const script = load.script === tpcB ? ['-b', 'tpcb-like'] : ['-f', file]
  const server = { server: load.database }
  const before = readProcessorMs(server)
  const { stdout, stderr } = await promisify(execFile)(
    pgbench,
    [
      ...[
        '-n',
        '-M',
        'prepared',
        '-c',
        String(load.clients),
        '-j',
        '2',
        '-T',
        String(load.seconds),
      ],
      ...['-l', '--log-prefix', join(dir, 'each'), ...given, ...script, load.database.url],
    ],
    { maxBuffer: 16_000_000 },
  )
  const usedMs = usedSince(before, server)
  const pace = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
  const count = /actually processed: (\d+)/.exec(stdout)?.[1]
  if (pace === undefined || count === undefined || /aborted|ERROR/.test(stderr)) {
    throw new Error(`pgbench did not finish: ${stderr.slice(0, 2_000)}`)
  }
  const p99Ms = p99(dir)
  rmSync(dir, { recursive: true })
  return { pace: Number(pace), p99Ms, processorUs: (usedMs * 1_000) / Number(count) }
}

/**
 * Returns the server's processor time since `before`. A reading misses a child that has just ended and that its parent
 * has not counted yet, so the larger of two readings is right.
 */
function usedSince(before: ProcessorMs, server: Parameters<typeof readProcessorMs>[0]): number {
  const readings = [readProcessorMs(server), readProcessorMs(server)]
  return Math.max(...readings.map((after) => msBetween(before, after)['server'] ?? 0))
}

/** A script text that stands for pgbench's built-in TPC-B script. */
export const tpcB = '-- TPC-B'

function p99(dir: string): number {
  const micros = readdirSync(dir)
    .filter((name) => name.startsWith('each'))
    .flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n'))
    .flatMap((line) => (line === '' ? [] : [Number(line.split(' ')[2])]))
    .sort((one, other) => one - other)
  return (micros[Math.floor(micros.length * 0.99)] ?? 0) / 1_000
}
