import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'

let running: RunningConsole
let asha: TestOperator

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  await asha.enrol('asha')
  await asha.signIn()
})
afterAll(() => running.stop())

test('the queue says that more waits once a country has more items of a kind than are listed', async () => {
  const listed = async () => {
    const { text } = await asha.get('/')
    return {
      held: text.split('>Held money</a>').length - 1,
      hasMore: /1\s+more\s+waits/.test(text),
    }
  }
  for (let left = 50; left > 0; left -= 1) await running.ke.held()
  expect(await listed()).toEqual({ held: 50, hasMore: false })
  await running.ke.held()
  expect(await listed()).toEqual({ held: 50, hasMore: true })
})
