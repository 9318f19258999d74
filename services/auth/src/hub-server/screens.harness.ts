import { openBrowser } from '@malipo/e2e/browser'
import { freePort } from '@malipo/stack/free-port'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'
import { upstreamsOfFile } from '../upstreams.harness'
import { password } from './browser.harness'

type Browser = Awaited<ReturnType<typeof openBrowser>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

type Upstreams = ReturnType<typeof upstreamsOfFile>

/** Opens a screen as the owner of a new account; `prepare` has the page before anything is loaded. */
type OpenScreen = (path: string, prepare?: (page: Page) => Promise<void>) => Promise<Page>

/** Runs the hub for the tests of a file, in a real browser. */
export function screensOfFile(upstreams: Upstreams = upstreamsOfFile()): OpenScreen {
  let database: TestDatabase
  let auth: RunningAuth
  let browser: Browser
  let authUrl: string
  let shops = 0
  beforeAll(async () => {
    database = await cloneDatabase('auth')
    const port = await freePort()
    authUrl = `http://127.0.0.1:${String(port)}`
    auth = await startAuth(database, { ...upstreams.config, port, authUrl })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await auth.stop()
    await database.drop()
  })
  return async (path, prepare) => {
    const username = `screens-${String((shops += 1))}`
    await auth.createAccount(username)
    const page = await browser.newPage()
    page.setDefaultTimeout(180_000)
    await prepare?.(page)
    await page.goto(`${authUrl}/hub${path}`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }
}
