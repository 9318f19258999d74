import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CollectedSpan } from '@malipo/testing/trace-collector'

export interface LogLine {
  readonly process: string
  readonly msg: string
  readonly intentId?: string
  readonly traceId?: string
  readonly [field: string]: unknown
}

/** The lines of all processes of the stack in `dir` that have this id of a payment. */
export function linesOf(dir: string, intentId: string): LogLine[] {
  return readdirSync(join(dir, 'logs'))
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) =>
      readFileSync(join(dir, 'logs', name), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(intentId))
        .map((line) => ({
          ...(JSON.parse(line) as LogLine),
          process: name.replace('.log', ''),
        })),
    )
}

/** `ledger-ke applyEvidence`: what a span is of. */
export function nameOfSpan({ service, name }: CollectedSpan): string {
  return `${service} ${name}`
}

/** The spans whose parent is not among them: where their traces begin. */
export function rootsOf(spans: readonly CollectedSpan[]): CollectedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  return spans.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))
}
