import { eventually } from '@malipo/testing/eventually'
import { journeyStack } from './journey-stack'

describe('two windows of one browser', () => {
  test('a visible window shows the account to which another window of the browser has signed in', async () => {
    const { fixture, browser } = await journeyStack()
    const { hosts, merchants } = fixture.stack.file
    const [former, later] = merchants
    if (former === undefined || later === undefined) throw new Error('The stack has two merchants')
    const context = await browser.newContext()
    // The timeout is long, because a busy stack may refuse a poll of the page, which then waits longer before each
    // further poll.
    context.setDefaultTimeout(180_000)
    const page = await context.newPage()
    await page.goto(`${hosts.ke.auth_url}/hub`)
    await page.getByLabel('Username').fill(former.username)
    await page.getByLabel('Password').fill(former.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`@${former.username}`).waitFor()

    const beside = await context.newPage()
    await beside.goto(`${hosts.ke.auth_url}/hub`)
    const { username, password } = later
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    }
    const signIn = `fetch('/v1/hub/sign-in', ${JSON.stringify(request)}).then(({ status }) => status)`
    // A busy stack may refuse the sign-in for a moment.
    await eventually('it is signed in', async () => {
      return (await beside.evaluate<number>(signIn)) === 200
    })
    await page.getByText(`@${username}`).waitFor()
    expect(await page.content()).not.toContain(`@${former.username}`)
    await context.close()
  })
})
