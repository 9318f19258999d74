import { EventEmitter, once } from 'node:events'
import { type Page, screensOfFile } from '../hub-server/screens.harness'

const open = screensOfFile()

/** Opens the dialog that makes a key, with the PIN typed. */
async function openDialog(): Promise<Page> {
  const page = await open('/integrations')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('PIN', { exact: true }).fill('9274')
  return page
}

/** Presses Escape as often as a browser needs to close a dialog against its will. */
async function pressEscape(page: Page): Promise<void> {
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape')
}

const asItIs = 'undefined'
/** Makes the browser one that does not know the attribute yet. */
const forgetClosedBy = "document.querySelector('dialog').removeAttribute('closedby')"

test.each([
  ['a browser that knows closedby', asItIs],
  ['a browser that does not', forgetClosedBy],
])('in %s, a key that is shown once stays through Escape until its button', async (_, script) => {
  const page = await openDialog()
  await page.keyboard.press('Enter')
  const secret = page.locator('[data-secret-key]')
  await secret.waitFor()
  await page.evaluate(script)
  await pressEscape(page)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await secret.waitFor({ state: 'detached' })
  await page.close()
})

test('a dialog stays while its key is being made, so that the new key is shown', async () => {
  const page = await openDialog()
  const release = new EventEmitter()
  const held = once(release, 'go')
  await page.route('**/v1/hub/keys', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'One moment…' }).waitFor()
  await page.evaluate(forgetClosedBy)
  await pressEscape(page)
  const cancel = page.getByRole('button', { name: 'Cancel' })
  expect(await cancel.isDisabled()).toBe(true)
  await cancel.focus()
  await page.keyboard.press('Enter')
  release.emit('go')
  await page.locator('[data-secret-key]').waitFor()
  await page.close()
})

test('a dialog whose request was refused closes at Escape again', async () => {
  const page = await openDialog()
  await page.route('**/v1/hub/keys', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await page.keyboard.press('Enter')
  await page.getByText('It may have made the key all the same').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.close()
})
