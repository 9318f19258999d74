import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser'
import { type Cli, installCli, openCli } from './cli'
import { type Fixture, openFixture } from './fixture'

/** What all journeys share. They use different accounts, or run one after another. */
export interface JourneyStack {
  readonly fixture: Fixture
  readonly browser: Browser
  /** The command `malipo`, installed into an empty folder. */
  readonly cli: Cli
  close(): Promise<void>
}

/**
 * How long gateways cache keys. The interface allows 60 seconds; its other promises about keys do not depend on this
 * time.
 */
export const keyCacheSeconds = 2

/** Status queries to the card gateway come sooner than in production, so that no test waits for a minute. */
const hurried = {
  KEY_CACHE_SECONDS: String(keyCacheSeconds),
  CARD_QUERY_AFTER_SECONDS: '4',
  QUERY_EVERY_SECONDS: '3',
}

let started: Promise<JourneyStack> | undefined

/** The stack and the browser of `journeys.e2e.test.ts`; started by the first call. */
export function journeyStack(): Promise<JourneyStack> {
  started ??= start()
  return started
}

async function start(): Promise<JourneyStack> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-cli-'))
  const browser = await openBrowser()
  const [fixture, program] = await Promise.all([openFixture(hurried), installCli(dir)])
  return {
    fixture,
    browser,
    cli: openCli(program, fixture.stack.file),
    async close() {
      await browser.close()
      await fixture.close()
      rmSync(dir, { recursive: true })
    },
  }
}
