import { eventually } from '@malipo/testing/eventually'
import { transferSql } from '@malipo/testing/transfer-sql'
import { screensOfFile } from '../hub-server/screens.harness'
import { upstreamsOfFile } from '../upstreams.harness'

const upstreams = upstreamsOfFile()
const open = screensOfFile(upstreams)

test('the home, which has no history, says where frozen payments are marked', async () => {
  const page = await open('/')
  await page.getByRole('heading', { name: 'Wallet' }).waitFor()
  const newest = 'SELECT account_id AS id FROM wallets ORDER BY opened_at DESC LIMIT 1'
  const id = await eventually('the wallet is opened', async () => {
    const [wallet] = await upstreams.rows<{ readonly id: string }>('ledger', newest)
    return wallet?.id
  })
  const paid = ['receipt:mpesa:RFROZEN001', 'float:mpesa', `wallet:${id}`] as const
  const frozen = ['frozen:mpesa:RFROZEN001', `wallet:${id}`, 'suspense:unconfirmed'] as const
  await upstreams.rows('ledger', transferSql(...paid, 150_050))
  await upstreams.rows('ledger', transferSql(...frozen, 150_050))
  await page.reload()
  const notice = page.getByText('1,500.50 is frozen and not in your balance')
  await notice.waitFor()
  expect(await notice.innerText()).toMatch(/They are marked in the history of your wallet\.$/)
  await page.close()
})

test('the statement says how many entries a file has at most, and has the hours of a single day', async () => {
  const page = await open('/wallet')
  const link = page.getByRole('link', { name: 'Download CSV' })
  const hint = page.locator(`[id="${String(await link.getAttribute('aria-describedby'))}"]`)
  expect(await hint.innerText()).toBe(
    'A file has all entries of its days. With more than 10,000 there is no file: take fewer days, or one day by its hours.',
  )
  await page.getByLabel('From').fill('2026-11-01')
  await page.getByLabel('Until').fill('2026-11-02')
  expect(await page.getByLabel('Hour').count()).toBe(0)
  await page.getByLabel('Until').fill('2026-11-01')
  await page.getByLabel('Hour').selectOption('23:00 to 24:00')
  expect(await link.getAttribute('href')).toMatch(/\?from=2026-11-01&until=2026-11-01&hour=23$/)
  await page.getByLabel('Until').fill('2026-11-03')
  expect(await link.getAttribute('href')).toMatch(/\?from=2026-11-01&until=2026-11-03$/)
  await page.close()
})
