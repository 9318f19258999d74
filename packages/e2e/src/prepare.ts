import startDatabases from '@malipo/testing/start-databases'
import { findBrowser } from './browser'

/** Jest's global set-up of the browser tests: a Chromium, found or installed, and the databases of the other tests. */
export default async function prepare(): Promise<void> {
  findBrowser()
  await startDatabases()
}
